# SPDX-License-Identifier: MIT
# find_package(blocksha) gives blocksha::shared, blocksha::static, and
# blocksha::blocksha, which is the shared one.
include("${CMAKE_CURRENT_LIST_DIR}/blocksha-targets.cmake")
if(NOT TARGET blocksha::blocksha)
	add_library(blocksha::blocksha ALIAS blocksha::shared)
endif()

# SPDX-License-Identifier: MIT
# find_package(blocksha) gives blocksha::shared, blocksha::static, and blocksha::blocksha, which is
# the shared one. Where libblocksha-git was built, find_package(blocksha COMPONENTS git) gives
# blocksha::git_shared, blocksha::git_static and blocksha::git as well.
include("${CMAKE_CURRENT_LIST_DIR}/blocksha-targets.cmake")
if(NOT TARGET blocksha::blocksha)
	add_library(blocksha::blocksha ALIAS blocksha::shared)
endif()
if("git" IN_LIST blocksha_FIND_COMPONENTS)
	include(CMakeFindDependencyMacro)
	set(THREADS_PREFER_PTHREAD_FLAG ON)
	find_dependency(Threads)
	find_dependency(ZLIB)
	include("${CMAKE_CURRENT_LIST_DIR}/blocksha-git-targets.cmake" OPTIONAL RESULT_VARIABLE blocksha_git_FOUND)
	if(blocksha_git_FOUND AND NOT TARGET blocksha::git)
		add_library(blocksha::git ALIAS blocksha::git_shared)
	elseif(NOT blocksha_git_FOUND AND blocksha_FIND_REQUIRED_git)
		set(blocksha_FOUND FALSE)
		set(blocksha_NOT_FOUND_MESSAGE "blocksha was built without libblocksha-git")
	endif()
endif()

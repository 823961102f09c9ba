# SPDX-License-Identifier: MIT
# Toolchain file for Debian's cross compilers. BLOCKSHA_TARGET is the compiler's prefix,
# for example s390x-linux-gnu; programs run under qemu-user.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BLOCKSHA_TARGET)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${BLOCKSHA_TARGET}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${BLOCKSHA_TARGET}-gcc)
# qemu-i386 7.2 hangs when a dynamically linked program starts a thread.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH /usr/${BLOCKSHA_TARGET})

set(qemu qemu-${CMAKE_SYSTEM_PROCESSOR})
if(CMAKE_SYSTEM_PROCESSOR STREQUAL i686)
	set(qemu qemu-i386)
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR ${qemu} -L /usr/${BLOCKSHA_TARGET})

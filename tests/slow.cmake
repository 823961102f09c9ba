# SPDX-License-Identifier: MIT
# The slow tests: other compilers and flags, other CPUs, analysers.

# blocksha_variant(NAME LABELS LABEL... TESTS REGEX [NEEDS TOOL...] OPTIONS OPTION...)
# builds the project once more, with these options of cmake, and runs there the tests whose
# label matches REGEX.
function(blocksha_variant name)
	cmake_parse_arguments(PARSE_ARGV 1 arg "" "TESTS" "LABELS;NEEDS;OPTIONS")
	blocksha_test(${name} LABELS slow ${arg_LABELS} TIMEOUT 1500
		COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/structure/variant.sh"
			"${PROJECT_BINARY_DIR}/variants/${name}" "${arg_TESTS}" ${arg_NEEDS} -- ${arg_OPTIONS})
endfunction()

# Compilers, levels of optimisation: -O2 of gcc 12 is what is built first. Without warnings: gcc 12
# and clang 14, Debian 12's.
set(levels_gcc-12 O0 O3)
set(levels_clang-14 O0 O2 O3)
set(levels_clang-19 O2 O3)
foreach(compiler gcc-12 clang-14 clang-19)
	set(options -DCMAKE_C_COMPILER=${compiler})
	if(NOT compiler STREQUAL clang-19)
		list(APPEND options -DBLOCKSHA_WERROR=ON)
		blocksha_variant(${compiler}_compact LABELS matrix TESTS unit NEEDS ${compiler}
			OPTIONS ${options} -DBLOCKSHA_COMPACT=ON)
	endif()
	foreach(level IN LISTS levels_${compiler})
		blocksha_variant(${compiler}_${level} LABELS matrix TESTS unit NEEDS ${compiler}
			OPTIONS ${options} -DCMAKE_C_FLAGS_RELEASE=-${level})
	endforeach()
	set(linker)
	if(compiler MATCHES "clang-(.*)")
		set(linker lld-${CMAKE_MATCH_1} llvm-ar-${CMAKE_MATCH_1})
		list(APPEND options -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
			-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld)
	endif()
	blocksha_variant(${compiler}_lto LABELS matrix TESTS unit NEEDS ${compiler} ${linker}
		OPTIONS ${options} -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON)
endforeach()

blocksha_test(plain_line_clang LABELS slow matrix
	COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/structure/plain_line.sh" clang)

# Sanitizers: the program too, once each.
blocksha_variant(gcc-12_asan_ubsan LABELS sanitizer TESTS "unit|program" NEEDS gcc-12
	OPTIONS --preset asan-ubsan -DCMAKE_C_COMPILER=gcc-12)
blocksha_variant(clang-14_asan_ubsan LABELS sanitizer TESTS unit NEEDS clang-14
	OPTIONS --preset asan-ubsan -DCMAKE_C_COMPILER=clang-14)
blocksha_variant(clang-14_tsan LABELS sanitizer TESTS "unit|program" NEEDS clang-14
	OPTIONS --preset tsan -DCMAKE_C_COMPILER=clang-14)

# MSan is in clang alone. It sees what valgrind, which knows no SHA-NI and no AVX-512, cannot run.
# libdeflate and zlib are not instrumented for it.
blocksha_variant(clang-14_msan LABELS sanitizer TESTS unit NEEDS clang-14
	OPTIONS -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=RelWithDebInfo
		"-DCMAKE_C_FLAGS=-fsanitize=memory -fno-sanitize-recover=all" -DBLOCKSHA_GIT=OFF)

# The fuzzers, twenty seconds each.
blocksha_variant(fuzz LABELS fuzz TESTS fuzz NEEDS clang-14
	OPTIONS -DCMAKE_C_COMPILER=clang-14 -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBLOCKSHA_FUZZ=ON)

# The drop-in libsha1detectcoll installed with the rest, as a distribution does it.
blocksha_variant(install_sha1detectcoll LABELS matrix TESTS structure
	OPTIONS -DBLOCKSHA_INSTALL_SHA1DETECTCOLL=ON)

# Git as its client: half an hour, and it needs the machine for itself to measure.
blocksha_test(interop_git LABELS slow interop TIMEOUT 7200
	COMMAND "${PROJECT_SOURCE_DIR}/scripts/interop-git" --build "${PROJECT_BINARY_DIR}" --runs 3)
set_tests_properties(interop_git PROPERTIES RUN_SERIAL ON)

# Other CPUs: big-endian, strict alignment, 32 bits. Each row: preset, compiler, emulator.
foreach(row "aarch64;aarch64-linux-gnu-gcc;qemu-aarch64" "armhf;arm-linux-gnueabihf-gcc;qemu-arm"
	"i386;i686-linux-gnu-gcc;qemu-i386" "mips;mips-linux-gnu-gcc;qemu-mips"
	"s390x;s390x-linux-gnu-gcc;qemu-s390x")
	list(POP_FRONT row preset)
	blocksha_variant(cross_${preset} LABELS cross TESTS unit NEEDS ${row}
		OPTIONS --preset ${preset})
endforeach()

# Kernels and dispatch on CPU models that have more or fewer instructions.
set(qemu_cpus bash "${CMAKE_CURRENT_SOURCE_DIR}/qemu_cpus.sh")
blocksha_test(qemu_x86_64 LABELS slow cross TIMEOUT 1500 COMMAND ${qemu_cpus} x86_64)
blocksha_test(qemu_aarch64 LABELS slow cross TIMEOUT 1500
	COMMAND ${qemu_cpus} aarch64 aarch64-linux-gnu-gcc "clang-14 --target=aarch64-linux-gnu"
		"clang-19 --target=aarch64-linux-gnu")

# Which instructions each compiler makes, where.
foreach(compiler gcc-12 clang-14 clang-19 aarch64-linux-gnu-gcc)
	blocksha_test(instruction_sets_${compiler} LABELS slow matrix TIMEOUT 900
		COMMAND "${PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/structure/instruction_sets.py" ${compiler})
endforeach()

# The filters of collision detection on 10^7 random blocks and as many of files, each kernel's.
foreach(name test_sha1dc_filter test_sha1dc_kernels)
	blocksha_test(many_blocks_${name} LABELS slow random TIMEOUT 1500
		COMMAND "${CMAKE_COMMAND}" -E env BLOCKSHA_TEST_BLOCKS=10000000 $<TARGET_FILE:${name}>)
endforeach()

foreach(check clang-format clang-tidy cppcheck analyzer shellcheck codespell mandoc)
	blocksha_test(lint_${check} LABELS slow lint TIMEOUT 900
		COMMAND "${PROJECT_SOURCE_DIR}/scripts/lint" ${check})
endforeach()

blocksha_test(clean_copy LABELS slow clean TIMEOUT 900
	COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/structure/clean_copy.sh")

# A thousand kills while a list is written.
blocksha_test(many_kills LABELS slow random TIMEOUT 1500
	COMMAND "${CMAKE_COMMAND}" -E env BLOCKSHA_TEST_KILLS=1000
		"${PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/cli_kill.py")

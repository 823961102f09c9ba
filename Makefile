# SPDX-License-Identifier: MIT
# A front for those who type make: CMake does the work (CMakePresets.json, preset
# release). More is in CONTRIBUTING.md.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
MAKEFLAGS += --no-print-directory

all:
	@cmake --preset release
	@cmake --build build --parallel $(JOBS)

test: all
	@ctest --test-dir build --label-exclude '^slow$$' --parallel $(JOBS) --output-on-failure

install: all
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

# Builds Debian's git against the drop-in libsha1detectcoll; takes half an hour. docs/git.md
interop-git: all
	@scripts/interop-git --build build

clean:
	rm -rf build

.PHONY: all test install interop-git clean

ifneq ($(wildcard bench/CMakeLists.txt),)
bench: all
	@cmake --build build --target bench

# Whole commands, with hyperfine; ten minutes, and 1.6 GB below build/
bench-commands: all
	@cmake --build build --target bench-commands

.PHONY: bench bench-commands
endif

# The two commands of the README, and what stands behind them. Everything else is CMake (see CMakePresets.json).
BUILD := build/release
PREFIX ?= /usr/local

.PHONY: run build fast tests test test-full bench install package deps clean format

run: build
	@tools/headline $(BUILD)/heddle

build: deps
	@tools/build $(BUILD) heddle

# The same program by profile: runs are faster, the build takes longer (docs/building.md).
fast: deps
	@tools/build-fast $(BUILD) heddle

tests:
	@tools/install-deps --tests
	@tools/build --tests $(BUILD)

test: tests
	@tools/run-tests $(BUILD)

test-full: tests
	@tools/run-tests --full $(BUILD)

bench: tests
	@$(BUILD)/bench/heddle_bench

# PREFIX: where it goes, /usr/local unless said otherwise.
install: build
	@tools/build $(BUILD) heddle heddle_core heddle_c manuals
	@cmake --install $(BUILD) --component heddle --prefix $(PREFIX) | tail -1

# Debian packages and a tarball, in $(BUILD)/packages (docs/release.md).
package:
	@tools/install-deps --python
	@tools/build-fast $(BUILD) heddle
	@tools/make-packages $(BUILD)

deps:
	@tools/install-deps

format:
	@find src workloads tests bench fuzz -name '*.h' -o -name '*.cpp' | xargs clang-format -i

clean:
	rm -rf build

# The two commands of the README, and what stands behind them. Everything else is CMake (see CMakePresets.json).
BUILD := build/release
JOBS ?= $(shell nproc)

.PHONY: run build test test-full asan clang-build bench deps clean format

run: build
	@tools/headline $(BUILD)/heddle

build: deps
	@test -f $(BUILD)/build.ninja || cmake --preset release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) -- --quiet

test: build
	@tools/install-deps --tests
	@tools/run-tests $(BUILD)

test-full: build
	@tools/install-deps --tests
	@tools/run-tests --full $(BUILD)

bench: build
	@$(BUILD)/bench/heddle_bench

deps:
	@tools/install-deps

format:
	@find src workloads tests bench fuzz -name '*.h' -o -name '*.cpp' | xargs clang-format -i

clean:
	rm -rf build

// Any bytes as the container of device code inside a CUDA program.
#include <span>

#include "fuzz_target.h"
#include "runtime/fat_binary.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  return fuzz::expect_result_or_error(
      [&] { runtime::ptx_of(runtime::read_fat_binary(std::as_bytes(std::span(data, size)))); });
}

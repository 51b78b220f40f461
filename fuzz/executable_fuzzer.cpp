// Any bytes as the program that `heddle exec` is asked to run.
#include "fuzz_target.h"
#include "runtime/executable.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const fuzz::MemoryFile file(data, size);
  return fuzz::expect_result_or_error([&] { runtime::check_executable(runtime::read_executable(file.path())); });
}

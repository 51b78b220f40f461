// Any bytes as PTX: loading ends with a Program (whose kernels may have problems) or an Error.
#include <memory>

#include "fuzz_target.h"
#include "program/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  return fuzz::expect_result_or_error([&] {
    Program::load(std::make_shared<const ptx::Source>("fuzz.ptx", std::string(fuzz::text_of(data, size))))->problems();
  });
}

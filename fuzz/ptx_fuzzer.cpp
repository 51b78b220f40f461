// Any bytes as PTX: loading ends with a Program (whose kernels may have problems) or an Error, never otherwise.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "program/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Program::load(std::make_shared<const ptx::Source>("fuzz.ptx", text))->problems();
  } catch (const InternalError&) {
    throw;  // a bug is a crash
  } catch (const Error&) {
  }
  return 0;
}

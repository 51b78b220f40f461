// Any bytes as PTX: parsing ends with a Module or an Error, never otherwise.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ptx/module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    ptx::parse(std::make_shared<const ptx::Source>("fuzz.ptx", text));
  } catch (const InternalError&) {
    throw;  // a bug is a crash
  } catch (const Error&) {
  }
  return 0;
}

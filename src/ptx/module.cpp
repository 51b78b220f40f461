#include "ptx/module.h"

namespace heddle::ptx {

uint64_t Variable::count() const {
  uint64_t product = vector;
  for (uint64_t dimension : dimensions) product *= dimension;
  return product;
}

uint32_t Variable::alignment() const {
  if (align != 0) return align;
  const uint32_t natural = bytes_of(type) * vector;
  return natural != 0 ? natural : 1;
}

const Function* Module::find(std::string_view name) const {
  const Function* declaration = nullptr;
  for (const Function& function : functions) {
    if (function.name != name) continue;
    if (function.has_body) return &function;
    if (declaration == nullptr) declaration = &function;
  }
  return declaration;
}

}  // namespace heddle::ptx

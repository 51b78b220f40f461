// Kernels of small PTX texts as machine code.
#pragma once

#include "program/decoded.h"

namespace heddle::test {

inline std::shared_ptr<const Kernel> machine_code_of(std::string_view body, const CodeOptions& options = {}) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".const .align 16 .b8 table[4096];\n"
      ".visible .entry k(.param .u64 in, .param .u32 number) {\n.shared .align 16 .b8 room[4096];\n"
      ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .f32 %f<8>;\n.reg .f64 "
      "%d<8>;\n" +
      std::string(body) + "\n}\n";
  return Program::load(std::make_shared<ptx::Source>("test.ptx", text))->as_machine_code(options)->kernel("k");
}

inline bool has(const Kernel& kernel, std::string_view name) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (kernel.text(pc).ends_with("// " + std::string(name))) return true;
  return false;
}

inline unsigned slots(const Kernel& kernel, std::string_view name) { return kernel.costs[at(kernel, name)].slots; }

}  // namespace heddle::test

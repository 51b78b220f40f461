// Small PTX texts decoded, and places in them found again: an instruction is named by the comment that ends its line.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "program/program.h"

namespace heddle::test {

inline std::shared_ptr<const Program> program_of(std::string_view text) {
  const std::string header = ".version 8.0\n.target sm_80\n.address_size 64\n";
  return Program::load(std::make_shared<ptx::Source>("test.ptx", header + std::string(text)));
}

// The kernel k with this body; registers %p<8> %r<32> %rd<16> %f<8> and a parameter `in` are declared.
inline std::shared_ptr<const Kernel> kernel_of(std::string_view body, std::string_view before = "") {
  const std::string text =
      std::string(before) +
      "\n.visible .entry k(.param .u64 in) {\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
      ".reg .f32 %f<8>;\n" +
      std::string(body) + "\n}\n";
  return program_of(text)->kernel("k");
}

// The instruction whose line ends with "// NAME".
inline Pc at(const Kernel& kernel, std::string_view name) {
  for (Pc pc = 0; pc < kernel.code.size(); ++pc)
    if (kernel.text(pc).ends_with("// " + std::string(name))) return pc;
  ADD_FAILURE() << "no instruction is marked " << name;
  return 0;
}

inline const BasicBlock& block_at(const Kernel& kernel, std::string_view name) {
  return kernel.blocks[kernel.block_of[at(kernel, name)]];
}

}  // namespace heddle::test

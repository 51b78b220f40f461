// Which registers each instruction of a kernel reads and writes, by name: two that share a place have two.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

struct Kernel;

struct RegisterUses {
  explicit RegisterUses(const Kernel& kernel);       // whose registers have places of their own
  std::vector<std::vector<uint32_t>> used, written;  // by PC; used: written, then read
};

}  // namespace heddle

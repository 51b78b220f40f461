// Which registers each instruction of a kernel reads and writes, by name: two that share a place have two.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

struct Kernel;

struct RegisterUses {
  explicit RegisterUses(const Kernel& kernel);  // whose registers have places of their own
  void add(const std::vector<uint32_t>& writes, const std::vector<uint32_t>& reads);  // of the next instruction
  std::vector<std::vector<uint32_t>> used, written;                                   // by PC; used: written, then read
  std::vector<uint64_t> marks;  // by PC: those of all that it uses
  // A bit for each register; several have the same.
  static uint64_t mark_of(uint32_t name) { return uint64_t{1} << (name * 0x9E37'79B1u >> 26); }
};

}  // namespace heddle

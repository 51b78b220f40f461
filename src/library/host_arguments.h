// The arguments of heddle_run(): values and buffers in the caller's memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "library/heddle.h"
#include "run/kernel_argument.h"

namespace heddle::library {

class HostArguments : public ArgumentSource {
 public:
  explicit HostArguments(std::span<const heddle_argument> arguments);  // Error (Usage)
  Arguments place(Gpu& gpu) override;
  void write_back(Gpu& gpu) override;

  // As the command line writes them; what a buffer starts with is not in words, but named as a file.
  std::vector<std::string> in_words() const;

 private:
  // Host memory without gaps that arguments lie in: one allocation of the GPU.
  struct Region {
    const std::byte* begin;
    const std::byte* end;
    std::string label;
    Address address = 0;  // 0: not yet placed
  };
  Region& region_of(const heddle_argument& argument);
  Address address_of(const heddle_argument& argument);

  std::span<const heddle_argument> arguments_;
  std::vector<Region> regions_;  // by where they lie
};

}  // namespace heddle::library

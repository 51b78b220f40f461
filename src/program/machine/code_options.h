// In which form a kernel runs: as PTX, instruction by instruction, or as the machine code a back end makes of it.
#pragma once

#include <span>
#include <string>

#include "config/config.h"

namespace heddle {

struct CodeOptions {
  bool machine = false;
  std::string target = "sm_90";  // whose table of costs
  unsigned predicate_up_to = 8;  // machine instructions of a branch's side that become guarded instead; 0: none
  bool unroll = false;           // short counted loops do several trips at once
  bool schedule = true;          // the instructions of a basic block are put into a back end's order

  static std::span<const Key> keys();  // they count at cycle level only
  static CodeOptions from(const Config& config);
};

}  // namespace heddle

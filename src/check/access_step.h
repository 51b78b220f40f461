// What an instruction is to the check of races: found once, when a kernel is bound to a core.
#pragma once

#include "check/order.h"
#include "check/shadow.h"

namespace heddle::check {

struct AccessStep {
  enum class Kind : uint8_t { Nothing, Load, Store, Atomic, Copy, Fence, Arrive, Test, Exit };
  Kind kind = Kind::Nothing;
  uint8_t bytes = 0;
  uint8_t flags = 0;         // of its Record
  Reach reach = Reach::Gpu;  // of a fence, or of a strong access
  bool acquires = false, releases = false;

  bool strong() const { return (flags & (Record::kStrong | Record::kAtomic)) != 0; }
  bool orders() const { return kind >= Kind::Fence ? kind != Kind::Exit : acquires || releases; }
  static AccessStep of(const Instruction& instruction);
};

// "volatile write of 4 bytes"
std::string name_of(const Instruction& instruction, bool write);

}  // namespace heddle::check

// What some mechanisms cannot do, found in a kernel and said to a person (table 1 of the stack-less paper).
#pragma once

#include <string>

#include "program/kernel.h"

namespace heddle {

// Each is "" where the kernel has nothing of the kind, else the reason to refuse it.
std::string recursion_in(const Kernel& kernel);
std::string indirection_in(const Kernel& kernel);  // branches through tables, calls through pointers
std::string call_in(const Kernel& kernel);         // any call that is not inlined

// The first that is not empty.
inline std::string first_reason(std::string first, std::string second) {
  return first.empty() ? std::move(second) : std::move(first);
}

}  // namespace heddle

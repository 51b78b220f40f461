// The mechanisms there are: a row per choice.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "config/config.h"
#include "divergence/mechanism.h"

namespace heddle {

struct MechanismRow {
  std::string_view name;
  std::string_view summary;
  std::span<const Key> keys;  // its parameters
  std::unique_ptr<Mechanism> (*make)(Host&, const Config&);
  bool bound = false;  // no hardware: threads run as `make` has it, and the slots are KernelStats::fill_slots()
};

std::span<const MechanismRow> mechanisms();
// A program that links the library may bring mechanisms of its own: before any run, from one thread.
void add_mechanism(const MechanismRow& row);
const MechanismRow& mechanism_named(std::string_view name);  // Error (Usage) that lists the names

}  // namespace heddle

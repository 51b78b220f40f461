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
  bool by_block = false;     // scheduled by the key block_priority, not by `schedule`
  bool interleaves = false;  // emulation steps one instruction at a time, as its traits say
  bool fair = false;         // threads of one warp may wait for each other: all get on (with its initial parameters)
  bool bound = false;        // no hardware: threads run as `make` has it, and the slots are KernelStats::fill_slots()
};

std::span<const MechanismRow> mechanisms();
// A program that links the library may bring mechanisms of its own: before any run, from one thread.
void add_mechanism(const MechanismRow& row);
const MechanismRow& mechanism_named(std::string_view name);  // Error (Usage) that lists the names
// With the parameters of its row, and no others.
std::unique_ptr<Mechanism> make_mechanism(const MechanismRow& row, Host& host, const Config& config);

}  // namespace heddle

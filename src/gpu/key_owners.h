// Whose parameter a key is, and whether a run reads it.
//
// A key belongs to the component that declares it: the machine, a core, memory, emulation, mechanisms, schedulers. It
// counts in a run where such a component takes part. Presets describe whole machines, and may set what a run does not
// read; someone who sets such a key by hand would take a number for the answer to a question that was never asked.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace heddle {

struct KeyGroup {
  std::string_view name;  // "a core"
  std::vector<Key> keys;
};
// Every key there is, once, under whom it belongs to.
std::vector<KeyGroup> key_groups();

// The components of a run.
struct RunParts {
  std::string mechanism, schedule;  // no schedule: the machine's own
  bool timed = true;
  std::vector<std::string_view> shown;  // keys that the program which runs is told
};

bool reads(const RunParts& run, const Config& config, std::string_view key);
std::vector<Key> keys_read(const RunParts& run, const Config& config);

// Error (Usage) for the first assignment whose key none of the runs reads; it names who would.
void check_read(std::span<const std::string> assignments, const Config& config, std::span<const RunParts> runs);

}  // namespace heddle

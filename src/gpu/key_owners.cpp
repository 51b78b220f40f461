#include "gpu/key_owners.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "core/core_parameters.h"
#include "divergence/registry.h"
#include "gpu/machine_keys.h"
#include "memory/memory_parameters.h"
#include "program/machine/code_options.h"
#include "schedule/registry.h"

namespace heddle {
namespace {

const Key* find(std::span<const Key> keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

// The keys of all rows, each once.
template <class Rows>
std::vector<Key> keys_of(const Rows& rows) {
  std::vector<Key> keys;
  for (const auto& row : rows)
    for (const Key& key : row.keys)
      if (!find(keys, key.name)) keys.push_back(key);
  return keys;
}

std::vector<Key> joined_keys(std::initializer_list<std::span<const Key>> parts) {
  std::vector<Key> keys;
  for (std::span<const Key> part : parts) keys.insert(keys.end(), part.begin(), part.end());
  return keys;
}

// Emulation asks a scheduler only where it steps one instruction at a time.
bool scheduler_is_asked(const RunParts& run, const Config& config) {
  return run.timed || mechanism_named(run.mechanism).interleaves || config.boolean(kInterleaveKey);
}

bool scheduled_by(std::string_view key, const RunParts& run, const Config& config) {
  return run.schedule.empty() && scheduler_is_asked(run, config) && key == usual_schedule_key(run.mechanism);
}

template <class Rows>
std::string owners(std::string_view kind, const Rows& rows, std::string_view key) {
  std::vector<std::string_view> names;
  bool timed = false;
  for (const auto& row : rows)
    if (const Key* own = find(row.keys, key)) {
      names.push_back(row.name);
      timed = own->timed;
    }
  if (names.empty()) return "";
  return fmt::format("{}{} {}{}", kind, names.size() == 1 ? "" : "s", joined(names),
                     timed ? " at cycle level, without --emulate" : "");
}

// Where a key counts, for someone who set it in vain.
std::string where_it_counts(std::string_view key) {
  if (key == kInterleaveKey) return "emulation: --emulate";
  if (find(card_keys(), key)) return "CUDA programs, which are told: heddle exec";
  if (key == kScheduleKey)
    return "mechanisms without a block_priority where a scheduler is asked, and --schedule names none";
  std::string of_mechanisms = owners("mechanism", mechanisms(), key);
  if (key == kBlockPriorityKey)
    return fmt::format("{}, where a scheduler is asked, and --schedule names none", of_mechanisms);
  if (!of_mechanisms.empty()) return of_mechanisms;
  const std::string of_schedulers = owners("scheduler", schedulers(), key);
  if (!of_schedulers.empty())
    return fmt::format("{} (--schedule), which emulation asks only with --set interleave=true", of_schedulers);
  return "the machine with a clock, without --emulate";
}

}  // namespace

std::vector<KeyGroup> key_groups() {
  return {{"the machine", joined_keys({machine_keys(), clock_keys(), emulation_keys()})},
          {"the card, as heddle exec shows it", joined_keys({card_keys()})},
          {"a core", joined_keys({CoreParameters::room_keys(), CoreParameters::keys()})},
          {"code", joined_keys({CodeOptions::keys()})},
          {"memory", joined_keys({MemoryParameters::keys()})},
          {"who is next", joined_keys({schedule_keys()})},
          {"mechanisms", keys_of(mechanisms())},
          {"schedulers", keys_of(schedulers())}};
}

bool reads(const RunParts& run, const Config& config, std::string_view key) {
  if (std::find(run.shown.begin(), run.shown.end(), key) != run.shown.end()) return true;
  if (key == kScheduleKey || key == kBlockPriorityKey) return scheduled_by(key, run, config);
  if (find(machine_keys(), key) || find(CoreParameters::room_keys(), key)) return true;
  for (std::span<const Key> timed :
       {clock_keys(), CodeOptions::keys(), CoreParameters::keys(), MemoryParameters::keys()})
    if (find(timed, key)) return run.timed;
  if (find(card_keys(), key)) return false;
  if (find(emulation_keys(), key)) return !run.timed;
  if (const Key* own = find(mechanism_named(run.mechanism).keys, key)) return run.timed || !own->timed;
  const std::string schedule = run.schedule.empty() ? usual_schedule(config, run.mechanism) : run.schedule;
  return scheduler_is_asked(run, config) && find(scheduler_named(schedule).keys, key);
}

std::vector<Key> keys_read(const RunParts& run, const Config& config) {
  std::vector<Key> keys;
  for (const Key& key : config.keys())
    if (reads(run, config, key.name)) keys.push_back(key);
  return keys;
}

void check_read(std::span<const std::string> assignments, const Config& config, std::span<const RunParts> runs) {
  for (const std::string& assignment : assignments) {
    const std::string_view key = key_of(assignment);
    const auto reads_it = [&](const RunParts& run) { return reads(run, config, key); };
    if (std::any_of(runs.begin(), runs.end(), reads_it)) continue;
    throw Error(ExitCode::Usage, fmt::format("--set {}: nothing in this run reads {}; it counts for {}", assignment,
                                             key, where_it_counts(key)));
  }
}

}  // namespace heddle

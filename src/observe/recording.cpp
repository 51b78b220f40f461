#include "observe/recording.h"

#include <algorithm>
#include <set>

#include "observe/lanes_shown.h"

namespace heddle {

std::shared_ptr<const Kernel> Recorder::kept(const Kernel& kernel) {
  for (const RecordedLaunch& launch : recording_.launches)
    if (launch.kernel->name == kernel.name && launch.kernel->source == kernel.source) return launch.kernel;
  return std::make_shared<const Kernel>(kernel);
}

void Recorder::launch_began(const LaunchBegan& launch) {
  if (std::thread::id nobody; !under_way_.compare_exchange_strong(nobody, std::this_thread::get_id())) {
    ++beside_;
    return;
  }
  wanted_ = !filter_.kernel || filter_.kernel(launch.kernel.name);
  recording_.warp_size = launch.warp_size;
  recording_.timed = launch.timed;
  if (wanted_) recording_.launches.push_back({kept(launch.kernel), launch.launch.grid, launch.launch.block, 0});
  slot_ = 0;
  states_.clear();
  last_.clear();
  of_instruction_.clear();
}

void Recorder::launch_ended(KernelStats&) {
  if (!is_ours()) return;
  if (wanted_) recording_.launches.back().slots = slot_;
  recording_.launches_beside = beside_;
  under_way_ = std::thread::id();
}

void Recorder::issued(const Scene& scene, const Issued& event) {
  if (is_ours()) take(scene, event.warp, event.first, event.group, event.beside);
}

void Recorder::synced(const Scene& scene, const Synced& event) {
  if (!is_ours()) return;
  for (const Group& group : event.groups) take(scene, event.warp, event.pc, group, false);
}

void Recorder::branched(const Scene& scene, const Branched& event) {
  if (!is_ours()) return;
  const auto found = of_instruction_.find({scene.core, event.warp});
  if (found == of_instruction_.end()) return;
  std::set<Pc> targets;
  for (const Outcome& outcome : event.outcomes)
    for (const Target& target : outcome.targets) targets.insert(target.pc);
  for (const uint32_t number : found->second)
    if (RecordedSlot& slot = recording_.events[number]; slot.pc == event.pc) slot.diverged = targets.size() > 1;
  found->second.clear();
}

void Recorder::idled(const Scene& scene, const Idled& event) {
  if (is_shown())
    recording_.waits.push_back({launch(), scene.core, event.from.count(), event.cycles, event.cause, event.waited_for});
}

void Recorder::completed(const Scene& scene, const Completed& event) {
  if (!event.memory || !is_shown()) return;
  if (filter_.warp && *filter_.warp != event.warp) return;
  if (filter_.block && *filter_.block != scene.host.block(event.block).order) return;
  recording_.flights.push_back(
      {launch(), scene.core, event.warp.value(), event.pc, event.issued.count(), scene.host.now.count(), event.missed});
}

void Recorder::take(const Scene& scene, WarpId warp, Pc pc, const Group& group, bool beside) {
  if (wanted_ && filter_.shows(scene, slot_, warp)) {
    ++recording_.matched;
    if (recording_.events.size() < limit_) record(scene, warp, pc, group, beside);
  }
  ++slot_;
}

void Recorder::record(const Scene& scene, WarpId warp, Pc pc, const Group& group, bool beside) {
  const BlockId block = scene.host.warp(warp).block;
  const auto number = static_cast<uint32_t>(recording_.events.size());
  record_state(scene, block);
  RecordedLanes lanes{threads_by_lane(scene.host, block, group), std::nullopt};
  if (group.kind == Group::Kind::Phantom) lanes.phantom = group.count;
  RecordedSlot slot{.launch = launch(),
                    .slot = slot_,
                    .cycle = scene.timed ? scene.host.now.count() : 0,
                    .core = scene.core,
                    .block = scene.host.block(block).order,
                    .warp = warp.value(),
                    .pc = pc,
                    .beside = beside,
                    .merged = meet(scene, block, lanes.threads)};
  slot.lanes = number_of(std::move(lanes));
  recording_.events.push_back(slot);
  std::vector<uint32_t>& of_instruction = of_instruction_[{scene.core, warp}];
  if (!of_instruction.empty() && recording_.events[of_instruction.front()].pc != pc) of_instruction.clear();
  of_instruction.push_back(number);
}

// Do threads meet here that issued apart before? From now on this is their last event.
bool Recorder::meet(const Scene& scene, BlockId block, const std::vector<int>& threads) {
  std::vector<uint32_t>& last = last_[scene.host.block(block).order];
  last.resize(std::max<size_t>(last.size(), scene.host.block(block).threads));
  uint32_t first = 0;
  bool met = false;
  for (const int thread : threads) {
    // A warp may hold threads of another block; those are not followed.
    if (thread < 0 || static_cast<size_t>(thread) >= last.size()) continue;
    uint32_t& event = last[static_cast<size_t>(thread)];
    met = met || (first != 0 && event != 0 && event != first);
    if (first == 0) first = event;
    event = static_cast<uint32_t>(recording_.events.size() + 1);
  }
  return met;
}

void Recorder::record_state(const Scene& scene, BlockId block) {
  const auto event = static_cast<uint32_t>(recording_.events.size());
  State now = scene.mechanism.state(block);
  State& before = states_[scene.host.block(block).order];
  for (uint32_t place = 0; place < now.size(); ++place)
    if (place >= before.size() || !(now[place] == before[place]))
      recording_.changes.push_back({event, place, number_of(now[place])});
  if (now.size() < before.size())
    recording_.changes.push_back({event, static_cast<uint32_t>(now.size()), RecordedChange::kNone});
  before = std::move(now);
}

uint32_t Recorder::number_of(const StateRow& row) {
  const auto [entry, fresh] = known_rows_.try_emplace(state_text({row}), static_cast<uint32_t>(recording_.rows.size()));
  if (fresh) recording_.rows.push_back(row);
  return entry->second;
}

uint32_t Recorder::number_of(RecordedLanes lanes) {
  const auto [entry, fresh] = known_lanes_.try_emplace(lanes, static_cast<uint32_t>(recording_.lanes.size()));
  if (fresh) recording_.lanes.push_back(std::move(lanes));
  return entry->second;
}

}  // namespace heddle

#include "observe/step_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "observe/lanes_shown.h"
#include "program/disassembly.h"

namespace heddle {
namespace {

std::string lanes_text(const Host& host, BlockId block, const Group& group) {
  const auto digits = static_cast<unsigned>(std::to_string(host.block(block).threads - 1).size());
  const unsigned width = host.warp_size() * (digits + 1) - 1;
  if (group.kind == Group::Kind::Phantom) return fmt::format("{:{}}", fmt::format("phantom {}", group.count), width);
  std::string text;
  for (int thread : threads_by_lane(host, block, group))
    text += fmt::format("{}{:>{}}", text.empty() ? "" : " ", thread < 0 ? "-" : std::to_string(thread), digits);
  return text;
}

// Of the source the PTX was made from, where it says so (-lineinfo).
std::string line_text(const Kernel& kernel, Pc pc) {
  const auto loc = kernel.code[pc].loc;
  return loc < 0 ? "-" : std::to_string(kernel.locs[static_cast<size_t>(loc)].line);
}

}  // namespace

bool TraceFilter::shows(const Scene& scene, uint64_t slot, WarpId id) const {
  if (!slots.contains(slot)) return false;
  if (warp && *warp != id) return false;
  return !block || scene.host.block(scene.host.warp(id).block).order == *block;
}

void StepTrace::launch_began(const LaunchBegan& launch) {
  wanted_ = !filter_.kernel || filter_.kernel(launch.kernel.name);
  header_ = false;
  slot_ = 0;
  shown_.clear();
}

bool StepTrace::shows(const Scene& scene, WarpId warp) const { return wanted_ && filter_.shows(scene, slot_, warp); }

void StepTrace::issued(const Scene& scene, const Issued& event) {
  if (shows(scene, event.warp)) print_slot(scene, event.warp, event.first, event.group, event.beside);
  ++slot_;
}

void StepTrace::synced(const Scene& scene, const Synced& event) {
  for (const Group& group : event.groups) {
    if (shows(scene, event.warp)) print_slot(scene, event.warp, event.pc, group, false);
    ++slot_;
  }
}

void StepTrace::print_header(const Scene& scene) {
  fmt::print(to_, "kernel {}\n  slot {}block warp    pc  line   threads by lane, instruction\n", scene.kernel.name,
             scene.timed ? "core    cycle " : "");
  header_ = true;
}

// The rows that are not as they were.
void StepTrace::print_state(const Scene& scene, BlockId block) {
  const State state = scene.mechanism.state(block);
  State shape = without_running_pcs(state);
  State& shown = shown_[{scene.core, block}];
  const std::string core = scene.timed ? fmt::format(" core {}", scene.core) : "";
  for (size_t i = 0; i < state.size(); ++i)
    if (std::find(shown.begin(), shown.end(), shape[i]) == shown.end())
      fmt::print(to_, "|{}{}", core, state_text({state[i]}));
  shown = std::move(shape);
}

void StepTrace::print_slot(const Scene& scene, WarpId warp, Pc pc, const Group& group, bool beside) {
  const BlockId block = scene.host.warp(warp).block;
  if (!header_) print_header(scene);
  print_state(scene, block);
  const std::string time = scene.timed ? fmt::format("{:4} {:8} ", scene.core, scene.host.now.count()) : "";
  fmt::print(to_, "{:6}{}{}{:5} {:4} {:5} {:>5}  [{}]  {}\n", slot_, beside ? '+' : ' ', time,
             scene.host.block(block).order, warp.value(), pc, line_text(scene.kernel, pc),
             lanes_text(scene.host, block, group), instruction_text(scene.kernel, pc));
}

}  // namespace heddle

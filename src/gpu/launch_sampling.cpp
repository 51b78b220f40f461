#include "gpu/launch_sampling.h"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

constexpr unsigned kTimedOfAKind = 2;
constexpr uint64_t kMostCopied = uint64_t{4} << 30;

// What is printed stays printed, and what is allocated in a kernel stays allocated.
bool leaves_more_than_memory(const Kernel& kernel) {
  return std::any_of(kernel.calls.begin(), kernel.calls.end(),
                     [](const CallSite& call) { return call.builtin != CallSite::Builtin::None; });
}

}  // namespace

bool LaunchSampling::alike(uint64_t a, uint64_t b) const {
  return std::max(a, b) - std::min(a, b) <= std::max(a, b) * percent_ / 100;
}

bool LaunchSampling::may_stand_for(const Kernel& kernel, const LaunchInfo& launch, const GlobalMemory& memory) const {
  return kinds_.contains(shape_of(kernel, launch)) && !leaves_more_than_memory(kernel) &&
         memory.bytes_in_use() <= kMostCopied;
}

const KernelStats* LaunchSampling::like(const Kernel& kernel, const LaunchInfo& launch, uint64_t instructions) const {
  for (const Kind& kind : kinds_.at(shape_of(kernel, launch)))
    if (kind.timed >= kTimedOfAKind && alike(kind.last.thread_instructions, instructions)) return &kind.last;
  return nullptr;
}

void LaunchSampling::timed(const Kernel& kernel, const LaunchInfo& launch, const KernelStats& stats, size_t place) {
  std::vector<Kind>& kinds = kinds_[shape_of(kernel, launch)];
  auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
    return alike(kind.last.thread_instructions, stats.thread_instructions);
  });
  if (found == kinds.end()) found = kinds.insert(kinds.end(), Kind{});
  ++found->timed;
  found->last = stats;
  found->last.timed_as = place;
}

MemorySnapshot::MemorySnapshot(const GlobalMemory& memory) {
  memory.for_each_live([&](const std::string&, std::span<std::byte> bytes) {
    parts_.push_back({bytes.data(), {bytes.begin(), bytes.end()}});
  });
}

void MemorySnapshot::restore() {
  for (const Part& part : parts_) std::memcpy(part.at, part.bytes.data(), part.bytes.size());
}

}  // namespace heddle

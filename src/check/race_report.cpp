// Which two accesses race, of what kind their race is, and how it is told.
#include <fmt/format.h>

#include <algorithm>

#include "base/kernel_name.h"
#include "check/place.h"
#include "check/race_check.h"

namespace heddle::check {
namespace {

bool strong(const Record& record) { return (record.flags() & (Record::kStrong | Record::kAtomic)) != 0; }
bool atomic(const Record& record) { return (record.flags() & Record::kAtomic) != 0; }
bool silent(const Record& record) { return (record.flags() & Record::kSilent) != 0; }

}  // namespace

// `lanes`: all that read in the other's segment; empty: only the one that is recorded.
void RaceCheck::against(Context& context, const Toucher& who, const Record& other, LaneMask lanes, bool other_writes) {
  if (lanes.empty()) lanes = LaneMask::of(other.lane());
  const Record& own = who.record;
  if (other.segment() == own.segment()) {
    lanes.remove(own.lane());
    if (lanes.empty()) return;
  }
  if (!memory_.timeline.of_this_launch(other.segment())) return against_launch(context, who, other, other_writes);
  const Threads threads = memory_.timeline.threads(other.segment(), lanes);
  const unsigned row = who.thread / kRow;
  const bool same_warp = threads.warp == order_.warp_number(row);
  if (strong(own) && strong(other)) {
    const bool lockstep = same_warp && who.shared && !atomic(own) && !atomic(other) && !is_flag(context, who);
    const bool reach =
        threads.block == order_.block_number(row) || ((own.flags() | other.flags()) & Record::kBlockOnly) == 0;
    if (reach && !lockstep) return;
  }
  if (order_.ordered(who.thread, threads, other.segment())) return;
  const bool at_once = in_this_instruction(context, who, other);
  Finding::Kind kind = Finding::Kind::Race;
  if (at_once ? stores_the_same(context, who, other) : who.write && other_writes && silent(own))
    kind = Finding::Kind::SameValue;
  else if (same_warp && !at_once)
    kind = Finding::Kind::WarpSynchronous;
  report(context, who, other, threads, kind, other_writes);
}

// Lanes of one store that go to the same place: no lockstep says which comes last.
bool RaceCheck::in_this_instruction(const Context& context, const Toucher& who, const Record& other) const {
  return who.write && other.pc() == context.pc && other.segment() == who.record.segment();
}

bool RaceCheck::stores_the_same(const Context& context, const Toucher& who, const Record& other) const {
  const Instruction& i = context.kernel.code[context.pc];
  if (i.op != Op::St || bytes_of(i.type) > 8) return false;
  const Hw its = static_cast<Hw>(who.thread / kRow * kRow + other.lane());
  for (unsigned element = 0; element < i.vector; ++element)
    if (context.get_bits(i.src[1 + element], who.thread) != context.get_bits(i.src[1 + element], its)) return false;
  return true;
}

// Is the place one at which something is released? Then those who read it know that others write it.
bool RaceCheck::is_flag(const Context& context, const Toucher& who) const {
  if (!flags_order_) return false;
  if (who.write && order_.released(who.thread, Reach::Block)) return true;
  const SyncVariables& variables = shared_[context.block_of_row[who.thread / kRow]].variables;
  const auto found = variables.find(who.address);
  return found != variables.end() && (found->second.block || found->second.gpu);
}

// Of an earlier launch, all of whose threads are in order with this one, or none.
void RaceCheck::against_launch(Context& context, const Toucher& who, const Record& other, bool other_writes) {
  const LaunchPast& past = memory_.timeline.launch_of(other.segment());
  if (past.ordered) return;
  const Record& own = who.record;
  if (strong(own) && strong(other) && ((own.flags() | other.flags()) & Record::kBlockOnly) == 0) return;
  const uint32_t warp = memory_.timeline.warp_of(other.segment()), warps = past.warps_per_block();
  report(context, who, who.write && other_writes && silent(own) ? Finding::Kind::SameValue : Finding::Kind::Race,
         {past.kernel.get(), other.pc(), other_writes,
          thread_text(past.launch, warp / warps, warp % warps * kRow + other.lane())});
}

size_t RaceCheck::report(Context& context, const Toucher& who, Finding::Kind kind, const Other& other) {
  const Kernel& kernel = context.kernel;
  const std::string lines = line_of(kernel, context.pc), its = line_of(*other.kernel, other.pc);
  const auto told = [](const Kernel& of, Pc pc, bool write, std::string thread) {
    return Finding::Access{name_of(of.code[pc], write), std::move(thread), of.where(pc), of.text(pc)};
  };
  const auto make = [&] {
    Finding finding;
    finding.kind = kind;
    finding.kernel = readable_name(kernel.name);
    if (other.kernel != &kernel)
      finding.kernel += fmt::format(", and {} in another stream", readable_name(other.kernel->name));
    finding.what = who.shared ? fmt::format("shared memory, byte {:#x}", who.address)
                              : fmt::format("{:#x}, {}", who.address, context.memory.describe(who.address));
    finding.accesses = {told(kernel, context.pc, who.write, context.name_thread(who.thread)),
                        told(*other.kernel, other.pc, other.writes, other.thread)};
    return finding;
  };
  // Who came first is chance.
  const auto [low, high] = std::minmax({kernel.name + ' ' + lines, other.kernel->name + ' ' + its});
  return found_.add(kind, low + ' ' + high, make);
}

// Within one launch, which has many of the same.
void RaceCheck::report(Context& context, const Toucher& who, const Record& other, const Threads& threads,
                       Finding::Kind kind, bool other_writes) {
  const Pc low = std::min(context.pc, other.pc()), high = std::max(context.pc, other.pc());
  const uint64_t key = static_cast<uint64_t>(kind) << 56 | uint64_t{high} << 28 | low;
  if (const auto known = numbers_.find(key); known != numbers_.end()) return found_.again(known->second);
  const unsigned lane = threads.lanes.has(other.lane()) ? other.lane() : threads.lanes.lowest();
  const unsigned warps = static_cast<unsigned>((context.launch.block.count() + kRow - 1) / kRow);
  numbers_[key] = report(context, who, kind,
                         {&context.kernel, other.pc(), other_writes,
                          thread_text(context.launch, threads.block, threads.warp % warps * kRow + lane)});
}

}  // namespace heddle::check

#include "check/sync_check.h"

#include <fmt/format.h>

#include "base/kernel_name.h"
#include "check/place.h"

namespace heddle::check {
namespace {

// Does the barrier ask for all threads of the block?
bool for_everybody(const Instruction& i) { return i.src_count - (i.op == Op::BarRed ? 1U : 0U) < 2; }

}  // namespace

void SyncCheck::block_started(const Context& context, BlockId id) {
  const BlockState& block = context.blocks[id];
  for (unsigned at = 0; at < block.threads; at += kRow)
    alive_[(block.first + at) / kRow] = LaneMask::first(block.threads - at);
}

void SyncCheck::before(Context& context, const Instruction& i, const Lanes& lanes) {
  if (i.flow == Flow::Sync) return check_masks(context, i, lanes);
  for_each_lane(lanes.mask, [&](unsigned k) { alive_[lanes.thread(k) / kRow].remove(lanes.thread(k) % kRow); });
}

void SyncCheck::warp_came(Context& context, const Instruction& i, const Lanes& lanes) {
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    const auto mask = static_cast<uint32_t>(context.get_bits(i.src[i.src_count - 1U], thread));
    if (!LaneMask(mask).has(thread % kRow))
      report(context, Finding::Kind::CallerNotNamed, fmt::format("lane {}, member mask {:#010x}", thread % kRow, mask),
             {{context.pc, thread}});
  });
}

void SyncCheck::check_masks(Context& context, const Instruction& i, const Lanes& lanes) {
  const Operand& members = i.src[i.src_count - 1U];
  const Hw first = lanes.thread(lanes.mask.lowest());
  const auto named = [&](Hw thread) { return static_cast<uint32_t>(context.get_bits(members, thread)); };
  for_each_lane(lanes.mask, [&](unsigned k) {
    const Hw thread = lanes.thread(k);
    if (named(thread) == named(first) || !LaneMask(named(thread)).has(thread % kRow)) return;
    report(context, Finding::Kind::MasksDiffer,
           fmt::format("member masks {:#010x} and {:#010x}", named(thread), named(first)),
           {{context.pc, thread}, {context.pc, first}});
  });
}

void SyncCheck::barrier_came(const BarrierCame& came) {
  barriers_[{came.block, came.index}].try_emplace(came.pc, came.lanes.thread(came.lanes.mask.lowest()));
}

void SyncCheck::barrier_done(Context& context, BlockId block, unsigned index) {
  const auto found = barriers_.find({block, index});
  if (found == barriers_.end()) return;
  const std::map<Pc, Hw> places = std::move(found->second);
  barriers_.erase(found);
  const auto [pc, thread] = *places.begin();
  if (!for_everybody(context.kernel.code[pc])) return;
  if (places.size() > 1) check_places(context, places);
  check_left(context, block, pc, thread);
}

void SyncCheck::check_places(Context& context, const std::map<Pc, Hw>& places) {
  const auto first = places.begin(), second = std::next(first);
  report(context, Finding::Kind::DivergentBarrier, fmt::format("{} barriers for the same threads", places.size()),
         {*second, *first});
}

void SyncCheck::check_left(Context& context, BlockId id, Pc pc, Hw thread) {
  const BlockState& block = context.blocks[id];
  unsigned alive = 0;
  for (unsigned at = 0; at < block.threads; at += kRow) alive += alive_[(block.first + at) / kRow].count();
  if (alive == block.threads) return;
  report(context, Finding::Kind::LeftBarrier,
         fmt::format("{} of {} threads have exited", block.threads - alive, block.threads), {{pc, thread}});
}

void SyncCheck::report(Context& context, Finding::Kind kind, std::string what, std::vector<std::pair<Pc, Hw>> who) {
  const Kernel& kernel = context.kernel;
  std::string lines = kernel.name;
  for (const auto& [pc, thread] : who) lines += ' ' + line_of(kernel, pc);
  found_.add(kind, lines, [&] {
    Finding finding{kind, readable_name(kernel.name), std::move(what), {}, 1};
    for (const auto& [pc, thread] : who)
      finding.accesses.push_back({"waits", context.name_thread(thread), kernel.where(pc), kernel.text(pc)});
    return finding;
  });
}

}  // namespace heddle::check

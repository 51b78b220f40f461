// What a machine without a clock runs at once: plain instructions of a warp, or of several that stand at one PC.
#include <algorithm>
#include <utility>

#include "core/warp_engine.h"

namespace heddle {

unsigned WarpEngine::run_plain(WarpId id, unsigned budget, bool follows) {
  Warp* warp = &host().warp(id);
  const Group group = warp->group;
  const Lanes lanes = group.lanes();
  const Instruction* const code = kernel_.code.data();
  const Handler* const handlers = context_.handlers.data();
  const Pc first = warp->pc;
  Pc pc = first;
  unsigned used = 0, counted = 0;  // slots; those that the clock knows of
  Pc ahead = std::exchange(warp->done, 0);
  if (lanes.threads != nullptr && ahead < pc) ahead = compute_ahead(id);
  if (ahead > pc) {
    used = std::min({ahead - pc, budget, warp->ask_at - pc});
    pc += used;
    if (pc < ahead) warp->done = ahead;
  }
  for (;;) {
    const Pc end = std::min({plain_until_[pc], pc + (budget - used), warp->ask_at});
    for (used += end - pc; pc < end; ++pc) {
      context_.pc = pc;
      handlers[pc](context_, code[pc], lanes);
    }
    if (used == budget || pc == warp->ask_at) break;
    if (code[pc].flow == Flow::Plain) {  // guarded
      context_.pc = pc;
      execute(code[pc], lanes);
      ++pc;
      ++used;
      continue;
    }
    if (!follows) break;
    warp->pc = pc;
    if (const std::optional<Way> way = one_way(*warp, id)) {
      ++used;
      context_.clock += used - std::exchange(counted, used);
      follow(id, *way);
      pc = warp->pc;
      continue;
    }
    if (!lets_pass_ || !passes(id)) break;
    ++used;
    warp = &host().warp(id);  // others may have been opened
    pc = warp->pc;
    if (warp->state != WarpState::Ready || lanes.threads != nullptr) break;  // lists are computed ahead
  }
  if (used == 0) return 0;
  context_.clock += used - counted;
  host().now = CoreCycle(context_.clock);
  charge(id, group, first, used);
  if (pc != warp->pc) grouping_.advance_to(id, pc);
  return used;
}

unsigned WarpEngine::run_large(WarpId id, unsigned budget) {
  const Warp& warp = host().warp(id);
  const Pc first = warp.pc, end = std::min({context_.computes_until[first], warp.ask_at, first + budget});
  if (end <= first) return 0;
  const std::span<const Group> groups = groups_of(id);
  for (const Group& group : groups) charge(id, group, first, end - first);
  context_.clock += (end - first) * groups.size();
  host().now = CoreCycle(context_.clock);
  compute(first, end, by_rows(groups));
  grouping_.advance_to(id, end);
  return end - first;
}

// A branch by which all threads go one way, and of which the mechanism hears. False: nothing has happened.
bool WarpEngine::passes(WarpId id) {
  const Warp& warp = host().warp(id);
  const Pc pc = warp.pc;
  const Instruction& instruction = kernel_.code[pc];
  if (instruction.op != Op::Bra || may_jump_[pc]) return false;
  const LaneMask taken = context_.guarded(instruction, warp.group.lanes()).mask;
  if (!taken.empty() && taken != warp.group.mask) return false;
  if (!mechanism().passes(id, taken.empty() ? pc + 1 : instruction.target)) return false;
  context_.pc = pc;
  note_branch(false);
  return true;
}

// Where the threads of a warp lie in several rows, those of others that stand there with them are computed, too: all
// rows once, instead of each list. Only within a basic block, in which nobody is regrouped who is ready. Returns the
// first instruction that it has to do itself.
Pc WarpEngine::compute_ahead(WarpId id) {
  const Warp& own = host().warp(id);
  const Pc pc = own.pc;
  const Pc block_end = kernel_.blocks[kernel_.block_of[pc]].end;
  Pc end = std::min({context_.computes_until[pc], plain_until_[pc], block_end, own.ask_at});
  const WarpSet &all = host().warps_in(own.block), &ready = host().ready();
  together_.clear();
  for (WarpId each = all.next_from(0, ready); end > pc && each != kNoWarp; each = all.next_from(each + 1U, ready)) {
    const Warp& warp = host().warp(each);
    if (warp.pc != pc || warp.group.kind != Group::Kind::List || warp.groups > 1 || (warp.done > 0 && each != id))
      continue;
    end = std::min(end, warp.ask_at);
    together_.push_back(each);
  }
  const bool quicker = end > pc && gather_rows(together_);
  for (const WarpId each : together_) host().warp(each).done = quicker ? end : pc;
  host().warp(id).done = 0;
  if (!quicker) return pc;
  compute(pc, end, rows_.rows());
  return end;
}

// Not by guarded instructions: who is left out by them is counted when they are executed.
void WarpEngine::let_gather() {
  lets_pass_ = traits().passes;
  std::vector<Pc>& to = host().comes_to;
  for (Pc pc = 0; pc < kernel_.code.size(); ++pc) {
    const Pc branch = std::min(context_.computes_until[pc], plain_until_[pc]);
    to.push_back(branch < kernel_.code.size() && kernel_.code[branch].op == Op::Bra ? branch : kNoPc);
  }
}

// All that will wait for each other at a branch are executed until there, and it, too.
void WarpEngine::gather(BlockId block, Pc pc) {
  const Gathering all = mechanism().gathering(block);
  coming_[block] = {all.branch + 1, all.warps};
  const unsigned first_row = host().block(block).first / kRow;
  gather_rows(*all.threads, first_row);
  compute(pc, all.branch, rows_.rows());
  BlockMask taken;
  for (const Lanes& row : rows_.rows())
    taken.row(row.first / kRow - first_row) = context_.guarded(kernel_.code[all.branch], row).mask;
  mechanism().gathered(block, taken);
}

unsigned WarpEngine::run_gathering(WarpId id, unsigned budget) {
  Warp& warp = host().warp(id);
  const Pc first = warp.pc;
  Coming& coming = coming_[BlockId(warp.block)];
  if (coming.warps == 0) gather(warp.block, first);
  const unsigned used = std::min(coming.end - first, budget);
  warp.pc += used;
  context_.clock += used;
  host().now = CoreCycle(context_.clock);
  charge(id, warp.group, first, used);
  if (warp.pc < coming.end) return used;
  context_.pc = --warp.pc;
  note_branch(warp.diverges);
  host().hold(id);
  if (--coming.warps == 0) mechanism().all_came(warp.block);
  return used;
}

void WarpEngine::branch_in_turn(std::span<const WarpId> warps) {
  const Pc pc = context_.pc = host().warp(warps[0]).pc;
  for (const WarpId id : warps) charge(id, host().warp(id).group, pc, 1);
  context_.clock += warps.size();
  host().now = CoreCycle(context_.clock);
  gather_in_turn(warps);
  taken_.resize(size_t{resident_} * rows_per_block_);
  for (const Lanes& row : rows_.rows()) taken_[row.first / kRow] = context_.guarded(kernel_.code[pc], row).mask;
  const unsigned diverged = mechanism().took_branch(taken_);
  for (const Lanes& row : rows_.rows()) taken_[row.first / kRow] = {};
  for (size_t i = 0; i < warps.size(); ++i) note_branch(i < diverged);
}

void WarpEngine::run_in_turn(const Turns& turns) {
  const Pc first = host().warp(turns.warps[0]).pc, end = first + static_cast<Pc>(turns.each);
  if (host().watch.wants(Observer::kIssues)) mechanism().name_groups();
  if (kernel_.code[first].flow == Flow::Branch) return branch_in_turn(turns.warps);
  const bool by_rows = computes_in_turn(turns, first);
  for (Pc pc = first; pc < end;) {
    const Pc computed = by_rows ? std::min(context_.computes_until[pc], end) : pc;
    if (computed > pc) {
      for (const WarpId id : turns.warps) charge(id, host().warp(id).group, pc, computed - pc);
      context_.clock += (computed - pc) * turns.warps.size();
      compute(pc, computed, rows_.rows());
      pc = computed;
      continue;
    }
    context_.pc = pc;
    mechanism().name_groups();
    for (const WarpId id : turns.warps) {
      const Group& group = host().warp(id).group;
      charge(id, group, pc, 1);
      ++context_.clock;
      execute(kernel_.code[pc], group.lanes());
    }
    ++pc;
  }
  host().now = CoreCycle(context_.clock);
  mechanism().took_turns(turns.each);
}

// By rows, where that is quicker than list by list, and nobody looks on?
bool WarpEngine::computes_in_turn(const Turns& turns, Pc first) {
  if (context_.computes_until[first] == first || context_.taint || context_.monitor) return false;
  gather_in_turn(turns.warps);
  return rows_.quicker_than(turns.threads);
}

// As the mechanism knows them, or else by the groups of the warps.
void WarpEngine::gather_in_turn(std::span<const WarpId> warps) {
  if (const std::span<const LaneMask> rows = mechanism().rows_in_turn(); !rows.empty()) return rows_.assign(rows);
  mechanism().name_groups();
  rows_.clear();
  for (const WarpId id : warps) rows_.add(host().warp(id).group.lanes());
}

// The threads of these warps; false: list by list is quicker, or somebody looks on.
bool WarpEngine::gather_rows(std::span<const WarpId> warps) {
  if (context_.taint || context_.monitor) return false;
  rows_.clear();
  for (const WarpId id : warps) rows_.add(host().warp(id).group.lanes());
  return rows_.quicker();
}

void WarpEngine::gather_rows(const BlockMask& threads, unsigned first_row) {
  rows_.clear();
  for (unsigned row = 0; row < rows_per_block_; ++row)
    if (!threads.row(row).empty()) rows_.add({threads.row(row), static_cast<Hw>((first_row + row) * kRow), nullptr});
}

// The threads of these groups.
std::span<const Lanes> WarpEngine::by_rows(std::span<const Group> groups) {
  rows_.clear();
  for (const Group& group : groups) rows_.add(group.lanes());
  return rows_.rows();
}

// Instructions that only compute.
void WarpEngine::compute(Pc first, Pc end, std::span<const Lanes> rows) {
  for (Pc pc = first; pc < end; ++pc) {
    const Instruction& instruction = kernel_.code[pc];
    const Handler handler = context_.handlers[pc];
    context_.pc = pc;
    if (instruction.guarded())
      for (const Lanes& row : rows) execute(instruction, row);
    else
      for (const Lanes& row : rows) handler(context_, instruction, row);
  }
}

}  // namespace heddle

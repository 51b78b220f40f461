#include "observe/branch_records.h"

#include <utility>

#include "program/analysis.h"
#include "stats/kernel_stats.h"

namespace heddle {

void BranchRecords::launch_began(const LaunchBegan& launch) {
  records_.assign(launch.kernel.code.size(), {});
  counts_.assign(launch.kernel.code.size(), {});
  taint_ = launch.taint;
}

void BranchRecords::branched(const Scene& scene, const Branched& event) {
  const Instruction& instruction = scene.kernel.code[event.pc];
  if (instruction.op != Op::Bra && instruction.op != Op::Brx) return;
  BranchRecord& record = records_[event.pc];
  ++record.executed;
  record.diverged += diverges(event.outcomes) ? 1 : 0;
  if (!has_choice(instruction)) return;
  for (const Outcome& outcome : event.outcomes) {
    record.threads += outcome.group.mask.count();
    record.data_threads += outcome.on_data.count();
  }
  record.kind = record.data_threads > 0 ? BranchKind::Data : BranchKind::Programmatic;
}

void BranchRecords::add(const Observer& core) {
  const auto& other = static_cast<const BranchRecords&>(core);
  for (size_t pc = 0; pc < records_.size(); ++pc) {
    records_[pc].executed += other.records_[pc].executed;
    records_[pc].diverged += other.records_[pc].diverged;
    counts_[pc].executed += other.counts_[pc].executed;
    counts_[pc].diverged += other.counts_[pc].diverged;
  }
}

void BranchRecords::launch_ended(KernelStats& stats) {
  for (Pc pc = 0; pc < records_.size(); ++pc) {
    const BranchCount count = std::exchange(counts_[pc], {});
    records_[pc].executed += count.executed;
    records_[pc].diverged += count.diverged;
    if (records_[pc].executed == 0) continue;
    records_[pc].pc = pc;
    stats.branch_records.push_back(records_[pc]);
  }
}

}  // namespace heddle

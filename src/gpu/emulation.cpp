#include "gpu/emulation.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "exec/touches.h"

namespace heddle {
namespace {

constexpr uint64_t kMostKept = uint64_t{64} << 20;  // bytes a part may have to take back

// Has a block means to wait for others, or to tell when it runs?
bool stands_alone(const Kernel& kernel, const Instruction& i) {
  switch (i.op) {
    case Op::Atom:
    case Op::Red: return i.space == Space::Shared;
    case Op::Builtin: return kernel.calls[i.table].builtin == CallSite::Builtin::AssertFail;
    case Op::Clock:
    case Op::Alloca: return false;
    default: return true;
  }
}

bool blocks_stand_alone(const Kernel& kernel) {
  return kernel.spin_loops.empty() && !kernel.recursive &&
         std::all_of(kernel.code.begin(), kernel.code.end(), [&](const auto& i) { return stands_alone(kernel, i); });
}

void add_branches(std::vector<BranchRecord>& to, const std::vector<BranchRecord>& from) {
  for (const BranchRecord& record : from) {
    const auto at = std::lower_bound(to.begin(), to.end(), record.pc,
                                     [](const BranchRecord& known, Pc pc) { return known.pc < pc; });
    if (at != to.end() && at->pc == record.pc)
      at->add(record);
    else
      to.insert(at, record);
  }
}

void add_part(KernelStats& to, const KernelStats& part) {
  to.add(part);
  add_branches(to.branch_records, part.branch_records);
}

}  // namespace

// ---- side by side

struct Emulation::Batch {
  Batch(const EmulatedLaunch& launch, std::vector<Extent> written, uint64_t first)
      : map(launch.memory, std::move(written)), next(first) {}

  TouchMap map;
  std::vector<std::unique_ptr<Part>> parts;
  std::atomic<uint64_t> next;  // block that nobody has taken
  std::atomic<uint64_t> slots = 0;
  std::atomic<bool> full = false;  // nobody takes more
  std::atomic<bool> stop = false;  // something went wrong
};

class Emulation::Part {
 public:
  Part(Emulation& machine, Batch& batch, unsigned number)
      : machine_(machine),
        batch_(batch),
        options_(own_options()),
        touches_(batch.map, number),
        core_(machine.launch_, options_, {machine.room_.now, machine.room_.now}) {
    core_.leave_when(batch.stop);
    Context& context = core_.engine().context();
    context.touches = &touches_;
    if (context.stray_load) context.stray_load = [](const std::string&) { throw Conflict(); };
  }

  void run() noexcept {
    try {
      while (!batch_.full && !batch_.stop && take_chunk()) {
      }
    } catch (...) {  // it will happen again, in order
      batch_.stop = true;
    }
  }
  KernelStats stats() { return core_.gather(); }
  void undo() const { touches_.undo(); }

 private:
  GpuOptions own_options() const {
    GpuOptions own = machine_.options_;
    own.observers = machine_.launch_.new_observers();
    own.progress = nullptr;
    return own;
  }

  bool take_chunk() {
    const uint64_t first = batch_.next.fetch_add(machine_.room_.now);
    if (first >= machine_.grid_blocks_) return false;
    const uint64_t before = core_.slots();
    core_.run(first, std::min<uint64_t>(first + machine_.room_.now, machine_.grid_blocks_));
    const uint64_t slots = batch_.slots += core_.slots() - before;
    if (touches_.kept_bytes() > kMostKept) batch_.full = true;
    const GpuOptions& options = machine_.options_;
    if (options.progress && this == batch_.parts[0].get()) options.progress->at(machine_.core_.slots() + slots, first);
    return true;
  }

  Emulation& machine_;
  Batch& batch_;
  const GpuOptions options_;
  Touches touches_;
  EmulatedCore core_;
};

void Emulation::run_batch() {
  Batch batch(launch_, written(), next_);
  conflict_ = !batch.map.good();
  if (conflict_) return;
  for (unsigned i = 0; i < threads_; ++i) batch.parts.push_back(std::make_unique<Part>(*this, batch, i + 1));
  {
    std::vector<std::jthread> threads;
    try {
      for (unsigned i = 1; i < threads_; ++i) threads.emplace_back([&part = *batch.parts[i]] { part.run(); });
    } catch (const std::system_error&) {  // then there are fewer
    }
    batch.parts[0]->run();
  }
  end_batch(batch);
}

// Every chunk before batch.next is done, or all of them are taken back.
void Emulation::end_batch(const Batch& batch) {
  const bool interrupted = options_.stop && options_.stop->load(std::memory_order_relaxed);
  conflict_ = !interrupted && (batch.stop || (max_slots_ > 0 && core_.slots() + batch.slots >= max_slots_));
  if (conflict_) {
    for (const std::unique_ptr<Part>& part : batch.parts) part->undo();
    return;
  }
  for (const std::unique_ptr<Part>& part : batch.parts) add_part(others_, part->stats());
  if (interrupted) throw Error(ExitCode::Interrupted, "interrupted");
  core_.note_elapsed(batch.slots);
  next_ = std::min<uint64_t>(batch.next, grid_blocks_);
  side_by_side_ = true;
}

std::vector<Extent> Emulation::written() {
  const Context& context = core_.engine().context();
  std::vector<Extent> extents;
  for (Pc pc = 0; pc < launch_.kernel.code.size(); ++pc)
    if (launch_.kernel.code[pc].op == Op::St && context.hints[pc].bytes > 0) extents.push_back(context.hints[pc]);
  return extents;
}

// ---- the launch

Emulation::Emulation(const EmulatedLaunch& launch, const GpuOptions& options, unsigned threads)
    : launch_(launch),
      options_(options),
      threads_(std::min(threads, TouchMap::kMostParts)),
      grid_blocks_(launch.info.grid.count()),
      max_slots_(static_cast<uint64_t>(launch.config.integer("max_slots"))),
      room_(EmulatedCore::Room::of(launch)),
      core_(launch, options, room_) {}

void Emulation::run() {
  try {
    const bool apart = !launch_.cooperative && !core_.interleaves() && !core_.engine().traits().learns &&
                       blocks_stand_alone(launch_.kernel);
    if (apart)
      run_chunks();
    else
      core_.run(0, grid_blocks_);
  } catch (...) {  // whatever happens, the statistics are complete as far as it came
    gather();
    throw;
  }
  gather();
}

void Emulation::run_chunks() {
  while (next_ < grid_blocks_) {
    if (threads_ > 1 && !conflict_ && pays()) {
      run_batch();
    } else {
      core_.run(next_, std::min<uint64_t>(next_ + room_.now, grid_blocks_));
      next_ = core_.next_block();
    }
  }
}

// To go side by side, if what is left is like what is done.
bool Emulation::pays() const {
  const uint64_t left = grid_blocks_ - next_;
  return next_ > 0 && left > room_.now && core_.slots() / next_ * left > options_.threads_from;
}

void Emulation::gather() {
  stats_ = core_.gather();
  if (others_.blocks > 0) add_part(stats_, others_);
  if (mechanism_named(options_.mechanism).bound) stats_.fill_slots(core_.engine().host().warp_size());
}

}  // namespace heddle

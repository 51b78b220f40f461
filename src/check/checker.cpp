#include "check/checker.h"

#include <fmt/format.h>

#include "base/kernel_name.h"
#include "check/init_check.h"
#include "check/race_check.h"
#include "check/sync_check.h"

namespace heddle::check {
namespace {

// The checks of one core, in the place of the handlers they concern.
class CoreChecks : public Monitor {
 public:
  CoreChecks(Context& context, const CheckSet& set, RaceMemory* race, WrittenBits* written, Collector& found)
      : handlers_(context.handlers) {
    if (set.has(Check::Race)) race_ = std::make_unique<RaceCheck>(context, *race, found);
    if (set.has(Check::Sync)) sync_ = std::make_unique<SyncCheck>(context, found);
    if (set.has(Check::Init)) init_ = std::make_unique<InitCheck>(context, *written, found);
  }
  bool concerns(const Instruction& instruction, Pc pc) const {
    return (race_ && race_->step(pc).kind != AccessStep::Kind::Nothing) ||
           (sync_ && SyncCheck::concerns(instruction)) || (init_ && init_->concerns(pc));
  }

  void execute(Context& context, const Instruction& instruction, const Lanes& lanes) override {
    const Pc pc = context.pc;
    if (sync_ && SyncCheck::concerns(instruction)) sync_->before(context, instruction, lanes);
    if (race_) race_->before(context, instruction, lanes);
    if (init_) init_->before(context, instruction, lanes);
    handlers_[pc](context, instruction, lanes);
    if (race_) race_->after(context, instruction, lanes);
    if (init_) init_->after(context, instruction, lanes);
  }
  void block_started(Context& context, BlockId block) override {
    if (race_) race_->block_started(context, block);
    if (sync_) sync_->block_started(context, block);
    if (init_) init_->block_started(context, block);
  }
  void barrier_came(Context&, const BarrierCame& came) override {
    if (race_) race_->order().barrier_came(came);
    if (sync_) sync_->barrier_came(came);
  }
  void barrier_done(Context& context, BlockId block, unsigned index) override {
    if (race_) race_->order().barrier_done(block, index);
    if (sync_) sync_->barrier_done(context, block, index);
  }
  void warp_came(Context& context, const Instruction& instruction, const Lanes& lanes) override {
    if (sync_) sync_->warp_came(context, instruction, lanes);
  }
  void warp_met(Context&, unsigned row, LaneMask members) override {
    if (race_) race_->order().warp_met(row, members);
  }

 private:
  const std::vector<Handler> handlers_;  // by PC: those that execute() stands for
  std::unique_ptr<RaceCheck> race_;
  std::unique_ptr<SyncCheck> sync_;
  std::unique_ptr<InitCheck> init_;
};

}  // namespace

Checker::Checker(const CheckSet& set, const GlobalMemory& memory) : set_(set), memory_(memory) {
  if (set.has(Check::Race)) race_ = std::make_unique<RaceMemory>();
  if (set.has(Check::Init)) written_ = std::make_unique<WrittenBits>(memory.capacity());
}

Checker::~Checker() = default;

// A place may be used again.
void Checker::allocated(Address address, uint64_t bytes) {
  if (written_) written_->remove_all(address - memory_.base(), bytes);
}

void Checker::wrote(Address address, uint64_t bytes) {
  if (written_) written_->add_all(address - memory_.base(), bytes);
}

void Checker::launch_began(std::shared_ptr<const Kernel> kernel, const LaunchInfo& launch, const LaunchOrder& order) {
  if (race_) race_->start_launch(std::move(kernel), launch, order);
}

void Checker::launch_failed(const Kernel& kernel, const Error& error) {
  if (error.code() != ExitCode::Deadlock || !set_.has(Check::Sync)) return;
  found_.add(Finding::Kind::NeverMet, kernel.name, [&] {
    const std::string text = error.what();  // its first line says it; the rest is the error's own
    return Finding{Finding::Kind::NeverMet, readable_name(kernel.name), text.substr(0, text.find('\n')), {}, 1};
  });
}

void Checker::watch(Context& context) {
  if (!set_.watches_kernels()) return;
  auto checks = std::make_unique<CoreChecks>(context, set_, race_.get(), written_.get(), found_);
  const CoreChecks& own = *checks;
  context.monitor = std::move(checks);
  for (Pc pc = 0; pc < context.kernel.code.size(); ++pc)
    if (own.concerns(context.kernel.code[pc], pc)) stand_in(context, pc);
}

void Checker::leaked(std::string what) {
  if (!set_.has(Check::Leak)) return;
  const std::string key = what;
  found_.add(Finding::Kind::Leak, key, [&] { return Finding{Finding::Kind::Leak, "", std::move(what), {}, 1}; });
}

}  // namespace heddle::check

#include "exec/taint.h"

#include "base/error.h"

namespace heddle {
namespace {

// Calls f(row, mask) for the rows that hold the lanes: once for a row of threads, thread by thread for a list.
template <class F>
void for_each_row(const Lanes& lanes, F&& f) {
  if (lanes.is_row()) return f(lanes.first / kRow, lanes.mask);
  for_each_lane(lanes.mask, [&](unsigned i) { f(lanes.threads[i] / kRow, LaneMask::of(lanes.threads[i] % kRow)); });
}

Lanes one_thread(Hw thread) { return {LaneMask::of(thread % kRow), static_cast<Hw>(thread / kRow * kRow), nullptr}; }

void run_tainted(Context& context, const Instruction& instruction, const Lanes& lanes) {
  context.taint->run(context, instruction, lanes);
}

}  // namespace

void follow_taint(Context& context) {
  context.taint = std::make_unique<Taint>(context.kernel, static_cast<unsigned>(context.block_of_row.size()));
  Taint& taint = *context.taint;
  taint.handlers_ = context.handlers;
  for (Pc pc = 0; pc < taint.steps_.size(); ++pc)
    if (taint.steps_[pc].rule != Taint::Rule::Nothing) context.handlers[pc] = &run_tainted;
}

Taint::Cell& Taint::Cell::operator|=(const Cell& other) {
  programmatic |= other.programmatic;
  data |= other.data;
  return *this;
}

Taint::Taint(const Kernel& kernel, unsigned rows)
    : kernel_(kernel),
      data_branches_(rows),
      local_(size_t{rows} * kRow),
      saved_(kernel.has_calls ? size_t{rows} * kRow : 0) {
  number_registers();
  note_constants();
  cells_.resize(rows * registers_);
  for (const Instruction& instruction : kernel.code) steps_.push_back(step_of(instruction));
}

void Taint::number_registers() {
  constexpr uint16_t none = UINT16_MAX;
  number_.assign(kernel_.plane_bytes / 4 + 1, none);
  const auto note = [&](const Operand& operand) {
    if (operand.constant() || number_[operand.at / 4] != none) return;
    require(registers_ < none, "too many registers for taint");
    number_[operand.at / 4] = static_cast<uint16_t>(registers_++);
  };
  for (const SpecialRegister& special : kernel_.specials) {
    note(special.at);
    specials_.push_back(number(special.at));
  }
  for (const Instruction& i : kernel_.code) {
    if (i.guarded()) note({i.guard, 0, false});
    for (unsigned k = 0; k < i.dst_count; ++k) note(i.dst[k]);
    for (unsigned k = 0; k < i.src_count; ++k) note(i.src[k]);
  }
  for (const CallSite& site : kernel_.calls) {
    for (const auto* items : {&site.arguments, &site.results})
      for (const CallSite::Item& item : *items)
        if (!item.in_frame) note(item.reg);
    for (const Operand& operand : site.saved) note(operand);
  }
}

void Taint::note_constants() {
  constants_.resize(kernel_.constant_bytes / 4 + 1);
  for (const ConstantRow& row : kernel_.constants)
    if (row.kind == ConstantRow::Kind::Parameter) constants_[row.offset / 4] = ValueOrigin::Programmatic;
}

Taint::Rule Taint::rule_of(const Instruction& i) {
  switch (i.op) {
    case Op::Ld: return Rule::Load;
    case Op::St: return Rule::Store;
    case Op::Atom:
    case Op::Tex:
    case Op::Gather:
    case Op::QueryTexture:
    case Op::QuerySurface:
    case Op::MbarArrive:
    case Op::MbarTest: return Rule::Data;
    case Op::Clock:
    case Op::ActiveMask:
    case Op::Elect: return Rule::Programmatic;
    case Op::Shfl:
    case Op::Vote:
    case Op::VoteNow:
    case Op::Match:
    case Op::Redux:
    case Op::Mma:
    case Op::MovMatrix:
    case Op::RowsToFragments:
    case Op::FragmentsToRows: return Rule::Together;
    case Op::Bra: return i.guarded() ? Rule::Branch : Rule::Nothing;
    case Op::Brx: return Rule::Branch;
    case Op::Call: return Rule::Call;
    case Op::Ret: return Rule::Return;
    case Op::Builtin: return Rule::Builtin;
    case Op::BarRed: return Rule::Nothing;  // Rendezvous does it, when all are there
    default: return i.dst_count > 0 ? Rule::Join : Rule::Nothing;
  }
}

Taint::Step Taint::step_of(const Instruction& i) const {
  Step step;
  step.rule = rule_of(i);
  const auto add_source = [&](const Operand& operand) {
    if (operand.constant())
      step.programmatic = step.programmatic || constants_[operand.offset() / 4] == ValueOrigin::Programmatic;
    else
      step.from[step.sources++] = number(operand);
  };
  if (i.op == Op::Bra && i.guarded()) add_source({i.guard, 0, false});
  for (unsigned k = 0; k < i.src_count; ++k) add_source(i.src[k]);
  for (unsigned k = 0; k < i.dst_count; ++k) step.to[step.results++] = number(i.dst[k]);
  return step;
}

void Taint::start_block(Hw first, unsigned threads) {
  for (unsigned row = first / kRow; row * kRow < first + threads; ++row) {
    std::fill_n(cells(row), registers_, Cell{});
    for (uint16_t special : specials_) cells(row)[special].programmatic = ~0U;
    data_branches_[row] = {};
  }
  for (unsigned thread = first; thread < first + threads; ++thread) {
    local_[thread].clear();
    if (!saved_.empty()) saved_[thread].clear();
  }
}

void Taint::run(Context& context, const Instruction& i, const Lanes& lanes) {
  const Pc pc = context.pc;
  const Step& step = steps_[pc];
  if (step.rule == Rule::Return) for_each_lane(lanes.mask, [&](unsigned k) { leave(context, lanes.thread(k)); });
  handlers_[pc](context, i, lanes);
  const auto write_all = [&](const Cell& cell) {
    for_each_row(lanes, [&](unsigned row, LaneMask mask) { write(step, row, mask, cell); });
  };
  switch (step.rule) {
    case Rule::Join: return join_sources(step, lanes);
    case Rule::Programmatic: return write_all({~0U, 0});
    case Rule::Data: return write_all({0, ~0U});
    case Rule::Together: return join_together(step, lanes);
    case Rule::Load: return load(context, i, step, lanes);
    case Rule::Store: return store(context, i, lanes);
    case Rule::Builtin: return builtin(context, i, lanes);
    case Rule::Branch: return note_branch(step, lanes);
    case Rule::Call: return for_each_lane(lanes.mask, [&](unsigned k) { call(context, i, lanes.thread(k)); });
    case Rule::Return:
    case Rule::Nothing: return;
  }
}

Taint::Cell Taint::joined(const Step& step, unsigned row) const {
  Cell sum{step.programmatic ? ~0U : 0, 0};
  for (unsigned k = 0; k < step.sources; ++k) sum |= cells(row)[step.from[k]];
  return sum;
}

void Taint::write(const Step& step, unsigned row, LaneMask mask, const Cell& cell) {
  const uint32_t bits = mask.bits();
  for (unsigned k = 0; k < step.results; ++k) {
    Cell& to = cells(row)[step.to[k]];
    to.programmatic = (to.programmatic & ~bits) | (cell.programmatic & bits);
    to.data = (to.data & ~bits) | (cell.data & bits);
  }
}

void Taint::join_sources(const Step& step, const Lanes& lanes) {
  for_each_row(lanes, [&](unsigned row, LaneMask mask) { write(step, row, mask, joined(step, row)); });
}

// Every thread of a static warp that takes part gets what all of them have.
void Taint::join_together(const Step& step, const Lanes& lanes) {
  LaneMask left = lanes.mask;
  while (!left.empty()) {
    const unsigned row = lanes.thread(left.lowest()) / kRow;
    LaneMask members;
    for_each_lane(left, [&](unsigned k) {
      if (lanes.thread(k) / kRow != row) return;
      members.add(lanes.thread(k) % kRow);
      left.remove(k);
    });
    const Cell sum = joined(step, row);
    const auto any = [&](uint32_t bits) { return (bits & members.bits()) != 0 ? ~0U : 0; };
    write(step, row, members, {any(sum.programmatic), any(sum.data)});
  }
}

void Taint::note_branch(const Step& step, const Lanes& lanes) {
  for_each_row(lanes, [&](unsigned row, LaneMask mask) {
    data_branches_[row] = data_branches_[row].without(mask) | (LaneMask(joined(step, row).data) & mask);
  });
}

LaneMask Taint::data_branches(const Lanes& lanes) const {
  if (lanes.is_row()) return data_branches_[lanes.first / kRow] & lanes.mask;
  LaneMask result;
  for_each_lane(lanes.mask, [&](unsigned i) {
    if (data_branches_[lanes.threads[i] / kRow].has(lanes.threads[i] % kRow)) result.add(i);
  });
  return result;
}

ValueOrigin Taint::get(const Operand& operand, Hw thread) const {
  if (operand.constant()) return constants_[operand.offset() / 4];
  const Cell& cell = cells(thread / kRow)[number(operand)];
  const uint32_t bit = 1U << (thread % kRow);
  if (cell.data & bit) return ValueOrigin::Data;
  return cell.programmatic & bit ? ValueOrigin::Programmatic : ValueOrigin::None;
}

void Taint::set(const Operand& operand, Hw thread, ValueOrigin origin) {
  Step step;
  step.results = 1;
  step.to[0] = number(operand);
  const Cell cell{origin == ValueOrigin::Programmatic ? ~0U : 0, origin == ValueOrigin::Data ? ~0U : 0};
  const Lanes lanes = one_thread(thread);
  write(step, lanes.first / kRow, lanes.mask, cell);
}

ValueOrigin Taint::join(const Operand& operand, const Lanes& lanes) const {
  ValueOrigin sum = ValueOrigin::None;
  for_each_lane(lanes.mask, [&](unsigned k) { sum = std::max(sum, get(operand, lanes.thread(k))); });
  return sum;
}

}  // namespace heddle

#include "support/oracle_launch.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"

namespace heddle::oracle {
namespace {

constexpr uint64_t kTurn = 100'000;           // instructions of a thread before another gets its turn
constexpr uint64_t kTooMany = 2'000'000'000;  // instructions of a launch

uint64_t widened(uint64_t value, Type type) {
  const unsigned bits = 8 * bytes_of(type);
  if (!is_signed(type) || bits >= 64 || !(value >> (bits - 1) & 1)) return value;
  return value | ~uint64_t{0} << bits;
}

}  // namespace

Launch::Launch(const Kernel& kernel, const LaunchShape& shape, const Surroundings& around)
    : kernel_(kernel), shape_(shape), around_(around) {
  number_registers();
  fill_constants();
  for (const Instruction& i : kernel.code) scalars_.push_back(select_scalar(i));
}

void Launch::number_registers() {
  constexpr uint32_t none = ~uint32_t{0};
  number_.assign(kernel_.plane_bytes / 4 + 1, none);
  const auto note = [&](const Operand& operand) {
    if (!operand.constant() && number_of(operand.at) == none) number_of(operand.at) = registers_++;
  };
  note(kernel_.frame);
  for (const SpecialRegister& special : kernel_.specials) note(special.at);
  for (const Instruction& i : kernel_.code) {
    if (i.guarded()) note({i.guard, 0, false});
    for (unsigned k = 0; k < i.dst_count; ++k) note(i.dst[k]);
    for (unsigned k = 0; k < i.src_count; ++k) note(i.src[k]);
  }
  for (const CallSite& site : kernel_.calls) {
    for (const CallSite::Item& item : site.arguments)
      if (!item.in_frame) note(item.reg);
    for (const CallSite::Item& item : site.results)
      if (!item.in_frame) note(item.reg);
  }
}

void Launch::fill_constants() {
  constants_.resize(kernel_.constant_bytes / 4 + 1);
  for (const ConstantRow& row : kernel_.constants) {
    uint64_t value = row.bits;
    switch (row.kind) {
      case ConstantRow::Kind::Literal: break;
      case ConstantRow::Kind::Parameter:
        value = 0;
        std::memcpy(&value, around_.memory.host(around_.parameters + row.bits), bytes_of(row.type));
        value = widened(value, row.type);
        break;
      case ConstantRow::Kind::ParamAddress: value += around_.parameters; break;
      case ConstantRow::Kind::Symbol: value += around_.symbols.at(row.symbol); break;
    }
    if (row.bytes == 0)
      value = value != 0;
    else if (row.bytes < 8)
      value &= (uint64_t{1} << (8 * row.bytes)) - 1;
    const bool parameter = row.kind == ConstantRow::Kind::Parameter;
    constants_[row.offset / 4] = {value, 0, parameter ? Source::Program : Source::Nothing};
  }
}

uint64_t Launch::special(Special what, const Thread& thread) const {
  const Dim3 &block = shape_.block, &grid = shape_.grid, &index = thread.block->index;
  const unsigned lane = thread.number % kRow;
  switch (what) {
    case Special::TidX: return thread.number % block.x;
    case Special::TidY: return thread.number / block.x % block.y;
    case Special::TidZ: return thread.number / (block.x * block.y);
    case Special::NtidX: return block.x;
    case Special::NtidY: return block.y;
    case Special::NtidZ: return block.z;
    case Special::CtaidX: return index.x;
    case Special::CtaidY: return index.y;
    case Special::CtaidZ: return index.z;
    case Special::NctaidX: return grid.x;
    case Special::NctaidY: return grid.y;
    case Special::NctaidZ: return grid.z;
    case Special::LaneId: return lane;
    case Special::WarpId: return thread.number / kRow;
    case Special::NwarpId: return (block.count() + kRow - 1) / kRow;
    case Special::SmId:
    case Special::Zero: return 0;
    case Special::NsmId:
    case Special::One: return 1;
    case Special::GridId: return around_.grid_id;
    case Special::LanemaskEq: return uint64_t{1} << lane;
    case Special::LanemaskLe: return (uint64_t{2} << lane) - 1;
    case Special::LanemaskLt: return (uint64_t{1} << lane) - 1;
    case Special::LanemaskGe: return ~((uint64_t{1} << lane) - 1);
    case Special::LanemaskGt: return ~((uint64_t{2} << lane) - 1);
    case Special::EnvReg1: return around_.workspace >> 32;
    case Special::EnvReg2: return around_.workspace;
    case Special::DynamicShared: return shape_.dynamic_shared;
    case Special::TotalShared: return thread.block->shared.size();
  }
  throw InternalError("the oracle does not know a special register");
}

Block Launch::make_block(uint64_t number) const {
  Block block;
  const Dim3& grid = shape_.grid;
  block.index = {static_cast<uint32_t>(number % grid.x), static_cast<uint32_t>(number / grid.x % grid.y),
                 static_cast<uint32_t>(number / grid.x / grid.y)};
  block.shared.resize(kernel_.dynamic_shared + shape_.dynamic_shared);
  block.threads.resize(shape_.block.count());
  for (unsigned i = 0; i < block.threads.size(); ++i) {
    block.threads[i].number = i;
    block.threads[i].registers.resize(registers_);
  }
  return block;
}

void Launch::run() {
  const uint64_t count = shape_.grid.count(), together = shape_.cooperative ? count : 1;
  for (uint64_t first = 0; first < count; first += together) {
    std::vector<Block> blocks;
    for (uint64_t i = 0; i < together; ++i) blocks.push_back(make_block(first + i));
    for (Block& block : blocks)
      for (Thread& thread : block.threads) {
        thread.block = &block;
        for (const SpecialRegister& each : kernel_.specials)
          set(thread, each.at, {special(each.what, thread), 0, Source::Program});
      }
    run_blocks(blocks);
    threads_ += together * shape_.block.count();
  }
}

void Launch::run_blocks(std::vector<Block>& blocks) {
  for (bool alive = true; alive;) {
    bool moved = false;
    alive = false;
    for (Block& block : blocks) {
      for (Thread& thread : block.threads) moved = run_thread(thread) || moved;
      moved = complete_syncs(block) || moved;
      for (const Thread& thread : block.threads) alive = alive || thread.state != Thread::State::Gone;
    }
    if (alive && !moved) throw Error(ExitCode::Deadlock, fmt::format("kernel {}: no thread can go on", kernel_.name));
    if (instructions_ > kTooMany) throw Error(ExitCode::Deadlock, fmt::format("kernel {} does not end", kernel_.name));
  }
}

bool Launch::run_thread(Thread& thread) {
  uint64_t steps = 0;
  for (; thread.state == Thread::State::Runs && steps < kTurn; ++steps) step(thread);
  return steps > 0;
}

Value Launch::get(const Thread& thread, const Operand& operand) const {
  Value value = operand.constant() ? constants_[operand.offset() / 4] : thread.registers[number_[operand.at / 4]];
  if (operand.bytes == 0 && operand.negated) value.low = value.low == 0;
  return value;
}

void Launch::set(Thread& thread, const Operand& operand, Value value) const {
  if (operand.bytes == 0)
    value.low = value.low != 0;
  else if (operand.bytes < 8)
    value.low &= (uint64_t{1} << (8 * operand.bytes)) - 1;
  if (operand.bytes <= 8) value.high = 0;
  thread.registers[number_[operand.at / 4]] = value;
}

Source Launch::sources_of(const Thread& thread, const Instruction& i) const {
  Source source = Source::Nothing;
  for (unsigned k = 0; k < i.src_count; ++k) source = std::max(source, get(thread, i.src[k]).source);
  return source;
}

bool Launch::guard_holds(const Thread& thread, const Instruction& i) const {
  return !i.guarded() || get(thread, {i.guard, 0, i.guard_negated}).low != 0;
}

void Launch::fail(const Thread& thread, const std::string& what) const {
  throw Error(ExitCode::Fault,
              fmt::format("{}\n  in kernel {}, block {}, thread {}\n  at {}: {}", what, kernel_.name,
                          thread.block->index.x, thread.number, kernel_.where(thread.pc), kernel_.text(thread.pc)));
}

}  // namespace heddle::oracle

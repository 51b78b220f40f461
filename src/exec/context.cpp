#include "exec/context.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "base/kernel_name.h"
#include "exec/global_order.h"
#include "exec/handlers.h"
#include "exec/monitor.h"
#include "exec/row/level.h"
#include "exec/taint.h"

namespace heddle {
namespace {

// Planes of neighbouring rows must not start at the same place of a 4 kB page: they would evict each other.
size_t skewed(size_t bytes) {
  const size_t lines = (bytes + 63) / 64;
  return (lines | 1) * 64;
}

std::byte* reserve(size_t bytes) {
  if (bytes == 0) return nullptr;
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    throw Error(ExitCode::BadLaunch, fmt::format("cannot reserve {} bytes for the threads of a core", bytes));
  return static_cast<std::byte*>(at);
}

template <class T, class F>
void fill_row(Context& context, const Operand& at, Hw first, F&& value) {
  T* row = context.row<T>(at, first);
  for (unsigned lane = 0; lane < kRow; ++lane) row[lane] = static_cast<T>(value(lane));
}

// What functions take for their frames is zero when a block starts, as registers and shared memory are: nobody finds
// there what the block before it has left.
void clear_frames(const Context& context, const BlockState& block) {
  size_t bytes = 0;
  for (const FunctionRange& function : context.kernel.functions) bytes += function.frame_bytes;
  bytes = std::min<size_t>(bytes, Context::kLocalBytes);
  if (bytes == 0) return;
  for (unsigned i = 0; i < block.threads; ++i) std::memset(context.local(static_cast<Hw>(block.first + i)), 0, bytes);
}

}  // namespace

ConstantPlane constant_plane_of(std::span<const std::byte> rows) {
  const std::shared_ptr<std::byte[]> plane(
      static_cast<std::byte*>(std::aligned_alloc(64, (rows.size() + 63) / 64 * 64 + 64)), &std::free);
  std::ranges::copy(rows, plane.get());
  return plane;
}

Context::Context(const Kernel& k, const LaunchInfo& info, GlobalMemory& m, ConstantPlane constants, unsigned rows)
    : kernel(k), launch(info), memory(m), hints(k.code.size()), block_of_row(rows), constants_(std::move(constants)) {
  stride_ = skewed(kernel.plane_bytes);
  planes_bytes_ = stride_ * rows;
  planes_ = reserve(planes_bytes_);
  local_stride_ = skewed(kLocalBytes);
  local_bytes_ = local_stride_ * rows * kRow;
  local_ = reserve(local_bytes_);
  for (const Instruction& instruction : kernel.code) {
    handlers.push_back(select_handler(instruction));
    scalars.push_back(select_scalar(instruction));
    if (instruction.op == Op::Alloca) alloca_top.assign(static_cast<size_t>(rows) * kRow, 0);
  }
  computes_until.resize(scalars.size() + 1, static_cast<Pc>(scalars.size()));
  for (Pc pc = static_cast<Pc>(scalars.size()); pc-- > 0;)
    computes_until[pc] = scalars[pc] ? computes_until[pc + 1] : pc;
}

Context::~Context() {
  if (planes_) munmap(planes_, planes_bytes_);
  if (local_) munmap(local_, local_bytes_);
}

void Context::start_block(BlockId block_id, Hw first, Dim3 index) {
  if (blocks.size() <= block_id) blocks.resize(block_id + 1U);
  BlockState& block = blocks[block_id];
  block.live = true;
  block.index = index;
  block.first = first;
  block.threads = static_cast<unsigned>(launch.block.count());
  block.shared.assign(kernel.dynamic_shared + launch.dynamic_shared, std::byte{0});
  for (unsigned row = 0; row * kRow < block.threads; ++row) {
    block_of_row[first / kRow + row] = block_id;
    std::memset(plane(static_cast<Hw>(first + row * kRow)), 0, kernel.plane_bytes);
  }
  clear_frames(*this, block);
  if (kernel.has_calls) {
    if (stacks.size() < first + size_t{block.threads}) stacks.resize(first + size_t{block.threads});
    for (unsigned i = 0; i < block.threads; ++i) stacks[first + i] = {};
  }
  if (!alloca_top.empty())
    for (unsigned i = 0; i < block.threads; ++i) alloca_top[first + i] = kernel.functions[0].frame_bytes;
  fill_specials(block);
  if (taint) taint->start_block(first, block.threads);
  if (monitor) monitor->block_started(*this, block_id);
}

void Context::fill_specials(const BlockState& block) {
  const Dim3& size = launch.block;
  const auto linear = [&](Hw first, unsigned lane) { return static_cast<unsigned>(first - block.first) + lane; };
  for (const SpecialRegister& special : kernel.specials) {
    for (unsigned at = 0; at < block.threads; at += kRow) {
      const Hw first = static_cast<Hw>(block.first + at);
      const auto fill = [&](auto value) { fill_row<uint32_t>(*this, special.at, first, value); };
      const auto constant = [&](uint64_t value) { fill([value](unsigned) { return value; }); };
      switch (special.what) {
        case Special::TidX: fill([&](unsigned l) { return linear(first, l) % size.x; }); break;
        case Special::TidY: fill([&](unsigned l) { return linear(first, l) / size.x % size.y; }); break;
        case Special::TidZ: fill([&](unsigned l) { return linear(first, l) / size.x / size.y; }); break;
        case Special::NtidX: constant(size.x); break;
        case Special::NtidY: constant(size.y); break;
        case Special::NtidZ: constant(size.z); break;
        case Special::CtaidX: constant(block.index.x); break;
        case Special::CtaidY: constant(block.index.y); break;
        case Special::CtaidZ: constant(block.index.z); break;
        case Special::NctaidX: constant(launch.grid.x); break;
        case Special::NctaidY: constant(launch.grid.y); break;
        case Special::NctaidZ: constant(launch.grid.z); break;
        case Special::LaneId: fill([](unsigned l) { return l; }); break;
        case Special::WarpId: constant(at / kRow); break;
        case Special::NwarpId: constant((block.threads + kRow - 1) / kRow); break;
        case Special::SmId: constant(launch.core); break;
        case Special::NsmId: constant(launch.cores); break;
        case Special::GridId:
          fill_row<uint64_t>(*this, special.at, first, [&](unsigned) { return launch.grid_id; });
          break;
        case Special::LanemaskEq: fill([](unsigned l) { return 1U << l; }); break;
        case Special::LanemaskLe: fill([](unsigned l) { return (2U << l) - 1U; }); break;
        case Special::LanemaskLt: fill([](unsigned l) { return (1U << l) - 1U; }); break;
        case Special::LanemaskGe: fill([](unsigned l) { return ~((1U << l) - 1U); }); break;
        case Special::LanemaskGt: fill([](unsigned l) { return ~((2U << l) - 1U); }); break;
        case Special::EnvReg1: constant(launch.cooperative_workspace >> 32); break;
        case Special::EnvReg2: constant(launch.cooperative_workspace & 0xffffffffU); break;
        case Special::Zero: constant(0); break;
        case Special::One: constant(1); break;
        case Special::DynamicShared: constant(launch.dynamic_shared); break;
        case Special::TotalShared: constant(block.shared.size()); break;
      }
    }
  }
}

void Context::set_predicate(const Operand& operand, Hw thread, bool value) const {
  uint32_t& word = *row<uint32_t>(operand, thread);
  const uint32_t bit = 1U << (thread % kRow);
  word = value ? word | bit : word & ~bit;
}

uint64_t Context::get_bits(const Operand& operand, Hw thread) const {
  switch (operand.bytes) {
    case 0: return predicate(operand, thread) ? 1 : 0;
    case 2: return get<uint16_t>(operand, thread);
    case 4: return get<uint32_t>(operand, thread);
    default: return get<uint64_t>(operand, thread);
  }
}

void Context::set_bits(const Operand& operand, Hw thread, uint64_t value) const {
  switch (operand.bytes) {
    case 0: return set_predicate(operand, thread, value != 0);
    case 2: return set(operand, thread, static_cast<uint16_t>(value));
    case 4: return set(operand, thread, static_cast<uint32_t>(value));
    default: return set(operand, thread, value);
  }
}

LaneMask Context::list_predicate_mask(const Operand& operand, const Lanes& lanes) const {
  const LaneMask bits = row_level().forms.predicates(source_of<uint32_t>(operand), lanes.mask, lanes.threads);
  return operand.negated ? lanes.mask.without(bits) : bits;
}

std::string Context::name_thread(Hw thread) {
  const BlockState& block = block_of(thread);
  const unsigned id = thread - block.first;
  const Dim3& size = launch.block;
  return fmt::format("block ({},{},{}), thread ({},{},{})", block.index.x, block.index.y, block.index.z, id % size.x,
                     id / size.x % size.y, id / size.x / size.y);
}

Fault Context::fault(Hw thread, const std::string& what, Fault::Kind kind) {
  return Fault(kind, fmt::format("{}\n  in kernel {}, {}\n  at {}: {}", what, readable_name(kernel.name),
                                 name_thread(thread), kernel.where(pc), kernel.text(pc)));
}

}  // namespace heddle

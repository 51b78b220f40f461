#include "exec/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "base/kernel_name.h"
#include "exec/global_order.h"
#include "exec/handlers.h"
#include "exec/monitor.h"
#include "exec/row/level.h"
#include "exec/special_values.h"
#include "exec/taint.h"
#include "program/special.h"

namespace heddle {
namespace {

// Planes of neighbouring rows must not start at the same place of a 4 kB page: they would evict each other.
size_t skewed(size_t bytes) {
  const size_t lines = (bytes + 63) / 64;
  return (lines | 1) * 64;
}

// Local memory is taken for frames, and by alloca.
ThreadMemory::Holds what_local_holds(const Kernel& kernel) {
  const bool used = kernel.has_calls ||
                    std::ranges::any_of(kernel.functions, [](const auto& each) { return each.frame_bytes > 0; }) ||
                    std::ranges::any_of(kernel.code, [](const Instruction& each) { return each.op == Op::Alloca; });
  return used ? ThreadMemory::Holds::Zero : ThreadMemory::Holds::Nothing;
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
    : kernel(k),
      launch(info),
      memory(m),
      hints(k.code.size()),
      block_of_row(rows),
      constants_(std::move(constants)),
      stride_(skewed(k.plane_bytes)),
      local_stride_(skewed(kLocalBytes)),
      planes_memory_(stride_ * rows, ThreadMemory::Holds::Anything),
      local_memory_(local_stride_ * rows * kRow, what_local_holds(k)),
      planes_(planes_memory_.begin()),
      local_(local_memory_.begin()) {
  for (const Instruction& instruction : kernel.code) {
    handlers.push_back(select_handler(instruction));
    scalars.push_back(select_scalar(instruction));
    if (instruction.op == Op::Alloca) alloca_top.assign(static_cast<size_t>(rows) * kRow, 0);
  }
  computes_until.resize(scalars.size() + 1, static_cast<Pc>(scalars.size()));
  for (Pc pc = static_cast<Pc>(scalars.size()); pc-- > 0;)
    computes_until[pc] = scalars[pc] ? computes_until[pc + 1] : pc;
  base_places.resize(rows);
  note_threads();
}

Context::~Context() = default;

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
    clear_registers(static_cast<Hw>(first + row * kRow));
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

void Context::clear_registers(Hw first) {
  if (!kernel.read_first) {
    std::memset(plane(first), 0, kernel.plane_bytes);
    return;
  }
  for (const Operand& operand : *kernel.read_first)
    std::memset(row<std::byte>(operand, first), 0, operand.bytes == 0 ? sizeof(uint32_t) : operand.bytes * kRow);
}

// What differs among the threads of a block is the same in every block.
void Context::note_threads() {
  const unsigned threads = static_cast<unsigned>((launch.block.count() + kRow - 1) / kRow * kRow);
  for (const SpecialRegister& special : kernel.specials)
    if (differs_by_thread(special.what))
      for (unsigned thread = 0; thread < threads; ++thread)
        by_thread_.push_back(static_cast<uint32_t>(value_of(special.what, launch, {}, thread)));
}

void Context::fill_specials(const BlockState& block) {
  const uint32_t* noted = by_thread_.data();
  for (const auto& [what, at] : kernel.specials) {
    const bool differs = differs_by_thread(what);
    const uint64_t value = differs ? 0 : value_of(what, launch, block, 0);
    for (unsigned thread = 0; thread < block.threads; thread += kRow) {
      const Hw first = static_cast<Hw>(block.first + thread);
      if (differs) {
        std::copy_n(noted, kRow, row<uint32_t>(at, first));
        noted += kRow;
      } else if (at.bytes == 8) {
        std::fill_n(row<uint64_t>(at, first), kRow, value);
      } else {
        std::fill_n(row<uint32_t>(at, first), kRow, static_cast<uint32_t>(value));
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

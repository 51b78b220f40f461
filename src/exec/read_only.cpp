#include "exec/read_only.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "program/unit.h"

namespace heddle {
namespace {

bool reads_only(const Instruction& instruction) { return instruction.op == Op::Ld; }

bool inside(const Extent& extent, Address begin, uint64_t bytes) {
  return begin - extent.begin < extent.bytes && bytes <= extent.bytes - (begin - extent.begin);
}

bool meet(const Extent& extent, Address begin, uint64_t bytes) {
  return begin < extent.begin + extent.bytes && extent.begin < begin + bytes;
}

// Calls f(begin, bytes, lane of who touches that) until it says no; true: it did not.
template <class F>
bool for_all(const Access& access, LaneMask who, unsigned bytes, F&& f) {
  if (!access.by_parts) {
    bool all = true;
    for_each_lane(who, [&](unsigned lane) { all = all && f(access.address[lane], bytes, lane); });
    return all;
  }
  const uint64_t span = uint64_t{Access::Parts::kLanes - 1} * access.parts.step + bytes;
  for (unsigned lane = 0; lane < kRow; lane += Access::Parts::kLanes)
    if (!f(access.parts.lane(lane), span, lane)) return false;
  return true;
}

bool has(const std::vector<Extent>& extents, const Extent& extent) {
  return std::ranges::any_of(extents, [&](const Extent& each) { return each.begin == extent.begin; });
}

// A pointer behind the last byte of an array is one into it.
Extent pointed_to(const GlobalMemory& memory, Address pointer) {
  const Extent extent = memory.extent_at(pointer);
  return extent.bytes == 0 && pointer > 0 ? memory.extent_at(pointer - 1) : extent;
}

// The allocations that the roots of an address point to; not known: it may be any. A root that points to none is an
// offset, or null; so what was added to it may be a pointer.
std::optional<std::vector<Extent>> pointed_to(const Kernel& kernel, Pc pc, const GlobalMemory& memory,
                                              const std::byte* constants) {
  const AddressRoots& roots = kernel.address_roots[pc];
  if (roots.others) return std::nullopt;
  std::vector<Extent> extents;
  bool null = true, all = true;  // all of them are; point to something
  for (size_t i = 0; i < kernel.roots.size(); ++i) {
    if ((roots.rows >> i & 1) == 0) continue;
    Address pointer = 0;
    std::memcpy(&pointer, constants + kernel.constants[kernel.roots[i]].offset, sizeof(pointer));
    null = null && pointer == 0;
    const Extent extent = pointed_to(memory, pointer);
    all = all && extent.bytes > 0;
    if (extent.bytes > 0 && !has(extents, extent)) extents.push_back(extent);
  }
  if ((extents.empty() && !null) || (roots.mixed && !all)) return std::nullopt;
  return extents;
}

}  // namespace

ReadOnly::ReadOnly(const Kernel& kernel, const GlobalMemory& memory, const std::byte* constants)
    : by_pc_(kernel.code.size()) {
  std::vector<Extent> written;
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    if (!reaches_global(kernel.code[pc]) || reads_only(kernel.code[pc])) continue;
    const auto there = pointed_to(kernel, pc, memory, constants);
    if (!there) return;
    if (!there->empty()) by_pc_[pc] = there->front();
    written.insert(written.end(), there->begin(), there->end());
  }
  for (Pc pc = 0; pc < kernel.code.size(); ++pc) {
    if (!reaches_global(kernel.code[pc]) || !reads_only(kernel.code[pc])) continue;
    const auto there = pointed_to(kernel, pc, memory, constants);
    if (!there || there->size() != 1 || has(written, there->front())) continue;
    by_pc_[pc] = there->front();
    if (!has(extents_, there->front())) extents_.push_back(there->front());
  }
}

bool ReadOnly::holds(const Context& context, LaneMask global, unsigned bytes) const {
  const Extent& extent = by_pc_[context.pc];
  if (extent.bytes == 0 || empty()) return false;
  return for_all(context.access, global, bytes,
                 [&](Address begin, uint64_t span, unsigned) { return inside(extent, begin, span); });
}

void ReadOnly::check(Context& context, const Lanes& lanes, LaneMask global, unsigned bytes) const {
  if (empty()) return;
  const Extent& extent = by_pc_[context.pc];
  for_all(context.access, global, bytes, [&](Address begin, uint64_t span, unsigned lane) {
    if (inside(extent, begin, span) ||
        std::ranges::none_of(extents_, [&](const Extent& each) { return meet(each, begin, span); }))
      return true;
    const std::string other =
        extent.bytes > 0 ? fmt::format(", {}", context.memory.describe(extent.begin)) : std::string();
    throw context.fault(lanes.thread(lane),
                        fmt::format("a write at {:#x}, {}, by a pointer to other memory{}; where that is meant, cores "
                                    "may not run ahead of each other (--no-skip)",
                                    begin, context.memory.describe(begin), other),
                        Fault::Kind::Address);
  });
}

}  // namespace heddle

#include "core/stage_group.h"

#include <algorithm>

#include "base/address_map.h"

namespace heddle {
namespace {

constexpr unsigned kWord = 4;

// It must see what other blocks have written.
bool is_for_others(const Instruction& i) {
  const bool wide = i.has(Mod::Gpu) || i.has(Mod::Sys) || i.has(Mod::Cluster);
  return i.has(Mod::Cg) || i.has(Mod::Cv) || i.has(Mod::Volatile) || wide;
}

StageGroup::Path path_of(const Instruction& i, const CoreParameters& parameters) {
  switch (i.op) {
    case Op::St: return StageGroup::Path::Store;
    case Op::Atom:
    case Op::Red: return StageGroup::Path::Atomic;
    default: break;
  }
  if (i.has(Mod::Nc) && parameters.texture.bytes > 0) return StageGroup::Path::Texture;
  return parameters.l1_past && is_for_others(i) ? StageGroup::Path::Past : StageGroup::Path::Load;
}

// Through which window each lane looks; an instruction that names a space has one for all.
struct Windows {
  LaneMask shared, local, constant, global;
  Address local_base = 0;
};

Windows windows_of(const Access& access) {
  Windows windows;
  switch (access.space) {
    case Space::Shared: windows.shared = access.mask; break;
    case Space::Local: windows.local = access.mask; break;
    case Space::Const:
    case Space::Param: windows.constant = access.mask; break;
    case Space::None:
      if (access.by_parts) {
        windows.global = access.mask;
        break;
      }
      windows.local_base = kLocalWindow;
      for_each_lane(access.mask, [&](unsigned lane) {
        if (access.address[lane] - kSharedWindow < kWindowBytes)
          windows.shared.add(lane);
        else if (access.address[lane] - kLocalWindow < kWindowBytes)
          windows.local.add(lane);
        else
          windows.global.add(lane);
      });
      break;
    case Space::Global:
    case Space::Reg: windows.global = access.mask; break;
  }
  return windows;
}

}  // namespace

void GroupCollector::collect(StageGroup& group, const Instruction& i, const Access& access, const Lanes& lanes) {
  if (access.mask.empty()) return;
  const Windows windows = windows_of(access);
  if (!windows.shared.empty()) add_shared(group, i, access, windows.shared);
  if (!windows.constant.empty()) add_constants(group, access, windows.constant);
  if ((windows.local | windows.global).empty()) return;
  const StageGroup::Path path = path_of(i, parameters_);
  if (path == StageGroup::Path::Store) group.hold += parameters_.store_pass * ((access.bytes + 3U) / 4);
  const bool alone = path == StageGroup::Path::Atomic && parameters_.atomic_lanes;
  const unsigned together = alone ? 1 : lanes_together(access.bytes);
  lines_.clear();
  if (access.by_parts)
    add_parts(access, together);
  else
    for (unsigned first = 0; first < kRow; first += together) {
      const LaneMask part(LaneMask::first(together).bits() << first);
      add_each(access, windows.global & part, windows.local & part, windows.local_base, lanes);
      if (together < kRow) lines_.close();
    }
  if (lines_.lines().empty()) return;
  if (path == StageGroup::Path::Load && parameters_.l1_banks > 0 && lines_.lines().size() > 1)
    group.read_passes =
        static_cast<uint16_t>(read_passes(access, windows.global, windows.local, windows.local_base, lanes));
  if (path == StageGroup::Path::Atomic) count_operations(lines_.lines(), access);
  if (i.joined)
    for (LineAccess& line : lines_.lines()) line.operations = line.lanes = 1;
  std::swap(group.lines, lines_.lines());
  group.path = path;
  group.answered = i.op == Op::Atom;
  group.operand_bytes = access.bytes;
  ++stats_.memory_slots;
  stats_.lines += group.lines.size();
}

void GroupCollector::add_parts(const Access& access, unsigned together) {
  const bool one_run = access.parts.one_run();
  if (one_run && access.parts.step == access.bytes && lines_.fills_lines(access.parts.first[0], access.bytes, together))
    return lines_.add_whole_lines(access.parts.first[0], together);
  const unsigned run = one_run ? together : std::min(together, Access::Parts::kLanes);
  const bool fresh = run == together;  // lanes of several runs may meet
  for (unsigned lane = 0; lane < kRow; lane += run) {
    if (!fresh && lane > 0 && lane % together == 0) lines_.close();
    lines_.add_run(access.parts.lane(lane), access.parts.step, access.bytes, lane, run, fresh);
  }
}

void GroupCollector::add_each(const Access& access, LaneMask global, LaneMask local, Address local_base,
                              const Lanes& lanes) {
  lines_.add_lanes(access.address, global, access.bytes);
  for_each_lane(local, [&](unsigned lane) {
    add_local(access.address[lane] - local_base, access.bytes, lanes.thread(lane), lane);
  });
}

const std::array<Address, kRow>& GroupCollector::addresses_of(const Access& access) {
  if (!access.by_parts) return access.address;
  for (unsigned lane = 0; lane < kRow; ++lane) spread_[lane] = access.parts.lane(lane);
  return spread_;
}

// Wide accesses are joined among fewer lanes.
unsigned GroupCollector::lanes_together(unsigned bytes) const {
  unsigned lanes = parameters_.coalesce_lanes;
  while (parameters_.coalesce_bytes > 0 && lanes > 1 && lanes * bytes > parameters_.coalesce_bytes) lanes /= 2;
  return lanes;
}

void GroupCollector::count_operations(std::span<LineAccess> lines, const Access& access) const {
  for (LineAccess& line : lines)
    line.operations =
        static_cast<uint16_t>(parameters_.atomic_sectors ? sector_passes(access.address, line.who) : line.lanes);
}

void GroupCollector::add_shared(StageGroup& group, const Instruction& i, const Access& access, LaneMask mask) {
  const bool atomic = (i.op == Op::Atom || i.op == Op::Red) && !i.joined && !i.retried;  // of lanes on a word
  const unsigned banks = parameters_.shared_banks;
  const bool simple = access.by_parts && no_conflicts(access.parts.first, access.parts.step, access.bytes, banks);
  const unsigned passes =
      simple ? groups_of_lanes(mask, banks) : bank_passes(addresses_of(access), mask, access.bytes, banks, atomic);
  group.hold += parameters_.shared_pass * ((passes + parameters_.shared_ports - 1) / parameters_.shared_ports);
  group.cause = MemoryStall::Banks;
  group.bank_passes = static_cast<uint16_t>(passes);
  if (atomic) group.hold += parameters_.shared_atomic_cycles * passes;
  group.rest = parameters_.shared_latency - parameters_.memory_stage;
  if (i.has(Mod::Cas)) group.rest += i.retried ? parameters_.shared_retry_cycles : parameters_.shared_cas_cycles;
  ++stats_.shared_accesses;
}

// Different addresses (or lines) are served one after another. Without a constant cache they always hit.
void GroupCollector::add_constants(StageGroup& group, const Access& access, LaneMask mask) {
  const bool all_on_one =
      access.by_parts && access.parts.step == 0 && std::ranges::count(access.parts.first, access.parts.first[0]) == 4;
  if (parameters_.constant.bytes == 0) {
    group.hold += all_on_one ? 1 : distinct(addresses_of(access), mask);
    group.rest = parameters_.const_latency - parameters_.memory_stage;
    group.cause = MemoryStall::Constants;
    return;
  }
  group.path = StageGroup::Path::Constant;
  group.cause = MemoryStall::Constants;
  const Address within = parameters_.constant_lines ? parameters_.constant.line - 1 : 0;
  if (all_on_one) return group.lines.push_back({access.parts.first[0] & ~within, {}, mask, 1});
  const std::array<Address, kRow>& addresses = addresses_of(access);
  for_each_lane(mask, [&](unsigned lane) {
    const Address address = addresses[lane] & ~within;
    const auto known = std::find_if(group.lines.begin(), group.lines.end(),
                                    [&](const LineAccess& other) { return other.address == address; });
    if (known != group.lines.end())
      known->who.add(lane);
    else
      group.lines.push_back({address, {}, LaneMask::of(lane), 1});
  });
}

// Local memory lies apart word by word: each word of an access is one.
unsigned GroupCollector::read_passes(const Access& access, LaneMask global, LaneMask local, Address local_base,
                                     const Lanes& lanes) {
  const unsigned banks = parameters_.l1_banks;
  unsigned passes = global.empty() ? 0 : bank_passes(addresses_of(access), global, access.bytes, banks, false);
  if (local.empty()) return passes;
  for_each_lane(local, [&](unsigned lane) {
    spread_[lane] = place_of_local((access.address[lane] - local_base) / kWord, lanes.thread(lane));
  });
  return passes + (access.bytes + kWord - 1) / kWord * bank_passes(spread_, local, kWord, banks, false);
}

Address GroupCollector::place_of_local(Address word, Hw thread) const {
  const Address base = kLocalPhysical + Address{core_} * parameters_.threads * Context::kLocalBytes;
  return base + (word * parameters_.threads + thread) * kWord;
}

void GroupCollector::add_local(Address offset, unsigned bytes, Hw thread, unsigned lane) {
  if (offset < parameters_.private_bytes / parameters_.threads) return;  // on chip, a bank per lane
  for (unsigned b = 0; b < bytes; b += kWord)
    lines_.add(place_of_local((offset + b) / kWord, thread) + (offset + b) % kWord, std::min(bytes, kWord), lane);
}

}  // namespace heddle

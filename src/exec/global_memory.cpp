#include "exec/global_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/fingerprint.h"

namespace heddle {
namespace {

constexpr uint64_t kGranule = 256;
constexpr uint64_t kMapped = uint64_t{1} << 21;                   // what hardware maps at once
constexpr uint64_t kLargest = uint64_t{1} << 38;                  // reserved, not used, until touched
const auto kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));  // of the host: 4 to 64 kB on aarch64

// From this place on; what begins below 4 GiB ends there.
uint64_t largest_at(Address base) { return base < kShortEnd ? kShortEnd - base : kLargest; }

uint64_t with_gap(uint64_t bytes) { return (bytes + kGranule) / kGranule * kGranule + kGranule; }

}  // namespace

GlobalMemory::GlobalMemory(Placement placement) : base_(placement.base) {
  if (placement.shared) file_ = memfd_create("heddle-gpu-memory", MFD_CLOEXEC);
  if (placement.shared && file_ < 0) throw Error(ExitCode::Host, "cannot make a file for the GPU's memory");
  if (placement.shared) next_ = kMapped;  // programs read before the first of their arrays, too
  for (capacity_ = largest_at(base_); capacity_ >= (uint64_t{1} << 28); capacity_ /= 2)
    if (reserve(capacity_)) return;
  throw Error(ExitCode::Host, "cannot reserve address space for the GPU's memory");
}

GlobalMemory::~GlobalMemory() {
  munmap(arena_, capacity_);
  if (file_ >= 0) close(file_);
}

bool GlobalMemory::reserve(uint64_t bytes) {
  if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(bytes)) != 0) return false;
  const int kind = file_ >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_NORESERVE, file_, 0);
  if (at == MAP_FAILED) return false;
  arena_ = static_cast<std::byte*>(at);
  return true;
}

void GlobalMemory::stay_short() {
  if (base_ < kShortEnd) return;
  if (file_ >= 0 || in_use_ > 0)
    throw Error(
        ExitCode::BadProgram,
        fmt::format("a module with addresses of 32 bits, but the GPU's memory lies at {:#x}: load such a module "
                    "before anything is allocated",
                    base_));
  allocations_.clear();
  base_ = kShortGlobalBase;
  next_ = 0;
  const uint64_t enough = std::min(capacity_, largest_at(base_));
  munmap(arena_ + enough, capacity_ - enough);
  capacity_ = enough;
}

// New ground while there is some, then the first freed place that is large enough.
Address GlobalMemory::room_for(uint64_t bytes) {
  if (next_ + bytes <= capacity_) {
    const Address address = base_ + next_;
    next_ += bytes;
    return address;
  }
  for (auto entry = allocations_.begin(); entry != allocations_.end(); ++entry) {
    if (entry->second.live || with_gap(entry->second.bytes) < bytes) continue;
    const Address address = entry->first;
    allocations_.erase(entry);
    return address;
  }
  throw Error(ExitCode::Fault,
              fmt::format("out of GPU memory: {} bytes asked for, {} of {} in use", bytes, in_use_, capacity_));
}

Address GlobalMemory::allocate(size_t bytes, std::string_view label) {
  if (bytes > capacity_) throw Error(ExitCode::Fault, fmt::format("out of GPU memory: {} bytes asked for", bytes));
  const Address address = room_for(with_gap(bytes));
  allocations_[address] = {bytes, std::string(label), true};
  in_use_ += bytes;
  return address;
}

void GlobalMemory::free(Address address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end() || !found->second.live)
    throw Error(ExitCode::Fault, fmt::format("free of {:#x}: {}", address, describe(address)));
  found->second.live = false;
  in_use_ -= found->second.bytes;
  // Give whole pages back; they read as zero if the place is used again.
  const uint64_t offset = address - base_;
  const uint64_t begin = (offset + kPage - 1) / kPage * kPage, end = (offset + found->second.bytes) / kPage * kPage;
  std::fill_n(host(address), std::min(found->second.bytes, begin - offset), std::byte{0});
  if (end > begin) {
    discard(begin, end);
    std::fill_n(arena_ + end, offset + found->second.bytes - end, std::byte{0});
  } else if (offset + found->second.bytes > begin) {
    std::fill_n(arena_ + begin, offset + found->second.bytes - begin, std::byte{0});
  }
}

void GlobalMemory::discard(uint64_t begin, uint64_t end) {
  madvise(arena_ + begin, end - begin, file_ >= 0 ? MADV_REMOVE : MADV_DONTNEED);
}

Extent GlobalMemory::extent_at(Address address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return {};
  const auto& [begin, allocation] = *std::prev(after);
  if (!allocation.live || address - begin >= allocation.bytes) return {};
  return {begin, allocation.bytes};
}

bool GlobalMemory::beside_allocation(Address address) const {
  if (address < base_ || address - base_ >= next_ + kMapped || address - base_ >= capacity_ - kGranule) return false;
  const auto after = allocations_.upper_bound(address);
  const bool before_one = after != allocations_.end() && after->second.live && after->first - address <= kMapped;
  if (after == allocations_.begin()) return before_one;
  const auto& [begin, allocation] = *std::prev(after);
  if (!allocation.live && address - begin < allocation.bytes) return false;  // a use after free
  return before_one || (allocation.live && address - begin < allocation.bytes + kMapped);
}

std::string GlobalMemory::describe(Address address) const {
  const auto text = [](Address begin, const Allocation& allocation) {
    return fmt::format("'{}' ({} bytes at {:#x}{})", allocation.label, allocation.bytes, begin,
                       allocation.live ? "" : ", freed");
  };
  const auto after = allocations_.upper_bound(address);
  if (after != allocations_.begin()) {
    const auto& [begin, allocation] = *std::prev(after);
    const uint64_t offset = address - begin;
    if (offset < allocation.bytes) return fmt::format("{} bytes into {}", offset, text(begin, allocation));
    const uint64_t past = offset - allocation.bytes;
    if (after == allocations_.end() || past <= after->first - address)
      return fmt::format("{} bytes past the end of {}", past, text(begin, allocation));
  }
  if (after == allocations_.end()) return "nothing is allocated";
  return fmt::format("{} bytes before {}", after->first - address, text(after->first, after->second));
}

void GlobalMemory::check(Address address, size_t bytes, const char* what) const {
  const Extent extent = extent_at(address);
  if (bytes == 0 || (extent.bytes != 0 && address - extent.begin + bytes <= extent.bytes)) return;
  throw Error(ExitCode::Fault, fmt::format("{} of {} bytes at {:#x}: {}", what, bytes, address, describe(address)));
}

uint64_t GlobalMemory::fingerprint() const {
  Fingerprint all;
  for (const auto& [address, allocation] : allocations_)
    if (allocation.live) all.add(host(address), allocation.bytes);
  return all.value();
}

}  // namespace heddle

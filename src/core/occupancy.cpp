#include "core/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/kernel_name.h"

namespace heddle {
namespace {

uint64_t limit(const Config& config, std::string_view key) { return static_cast<uint64_t>(config.integer(key)); }

// Blocks that fit by what each of them takes. Throws if not even one does.
uint64_t fit_by(const Kernel& kernel, const Config& config, std::string_view key, uint64_t taken,
                const std::string& what) {
  if (taken == 0) return UINT64_MAX;
  if (taken > limit(config, key))
    throw Error(ExitCode::BadLaunch, fmt::format("a block of {} does not fit a core: {} {} of {} ({})",
                                                 readable_name(kernel.name), taken, what, limit(config, key), key));
  return limit(config, key) / taken;
}

// Threads take their places in rows.
uint64_t fit_by_threads(const Kernel& kernel, const LaunchInfo& launch, const Config& config) {
  fit_by(kernel, config, "core_threads", launch.block.count(), "threads");
  return std::max<uint64_t>(1, limit(config, "core_threads") / (rows_of(launch) * kRow));
}

}  // namespace

unsigned rows_of(const LaunchInfo& launch) { return static_cast<unsigned>((launch.block.count() + kRow - 1) / kRow); }

unsigned registers_taken(const Kernel& kernel, const Config& config) {
  const auto unit = static_cast<unsigned>(limit(config, "register_rounding"));
  return (kernel.registers + unit - 1) / unit * unit;
}

unsigned occupancy(const Kernel& kernel, const LaunchInfo& launch, const Config& config) {
  const uint64_t by_threads = fit_by_threads(kernel, launch, config);
  if (const auto given = static_cast<uint64_t>(config.per_kernel("blocks_per_core", kernel.name)); given > 0) {
    if (given > by_threads)
      throw Error(
          ExitCode::BadLaunch,
          fmt::format("blocks_per_core: {} blocks of {} do not fit a core: {} threads each of {} (core_threads)", given,
                      readable_name(kernel.name), rows_of(launch) * kRow, limit(config, "core_threads")));
    return static_cast<unsigned>(given);
  }
  if (config.text("occupancy_limit") == "threads") return static_cast<unsigned>(by_threads);
  const unsigned registers = registers_taken(kernel, config);
  const uint64_t shared = uint64_t{kernel.dynamic_shared} + launch.dynamic_shared;
  return static_cast<unsigned>(
      std::min({by_threads, limit(config, "core_blocks"),
                fit_by(kernel, config, "core_shared", shared, "bytes of shared memory"),
                fit_by(kernel, config, "core_registers", uint64_t{registers} * rows_of(launch) * kRow,
                       fmt::format("registers, {} per thread,", registers))}));
}

}  // namespace heddle

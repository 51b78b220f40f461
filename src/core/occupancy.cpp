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

uint64_t rounded_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Warps are dealt out to the sub-cores, each of which has so many registers.
uint64_t fit_by_registers(const Kernel& kernel, const LaunchInfo& launch, const Config& config) {
  const uint64_t registers = registers_taken(kernel, config), row = registers * kRow, rows = rows_of(launch);
  fit_by(kernel, config, "core_registers", row * rows, fmt::format("registers, {} per thread,", registers));
  if (row == 0) return UINT64_MAX;
  const uint64_t sub_cores = limit(config, "sub_cores");
  const uint64_t fit = limit(config, "core_registers") / sub_cores / row * sub_cores;
  if (fit < rows)
    throw Error(
        ExitCode::BadLaunch,
        fmt::format("a block of {} does not fit a core: {} warps of {} registers, of which {} sub-cores hold {} "
                    "(core_registers)",
                    readable_name(kernel.name), rows, row, sub_cores, fit));
  return fit / rows;
}

}  // namespace

unsigned rows_of(const LaunchInfo& launch) { return static_cast<unsigned>((launch.block.count() + kRow - 1) / kRow); }

unsigned registers_taken(const Kernel& kernel, const Config& config) {
  return static_cast<unsigned>(rounded_up(kernel.registers, limit(config, "register_rounding")));
}

uint64_t shared_taken(const Kernel& kernel, const LaunchInfo& launch, const Config& config) {
  const uint64_t asked = uint64_t{kernel.dynamic_shared} + launch.dynamic_shared;
  return rounded_up(asked, limit(config, "shared_unit")) + limit(config, "shared_reserved");
}

unsigned l1_bytes_beside(const Kernel& kernel, const LaunchInfo& launch, const Config& config, unsigned blocks) {
  const uint64_t unified = limit(config, "unified_bytes");
  if (unified == 0) return static_cast<unsigned>(limit(config, "l1_bytes"));
  const auto taken = static_cast<int64_t>(blocks * shared_taken(kernel, launch, config));
  const std::vector<int64_t> sizes = config.numbers("carve_outs");
  const auto size = std::lower_bound(sizes.begin(), sizes.end(), taken);
  const uint64_t left = unified - static_cast<uint64_t>(size == sizes.end() ? sizes.back() : *size);
  return static_cast<unsigned>(left - left % (limit(config, "l1_line") * limit(config, "l1_ways")));
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
  const uint64_t shared = shared_taken(kernel, launch, config);
  return static_cast<unsigned>(std::min({by_threads, limit(config, "core_blocks"),
                                         fit_by(kernel, config, "core_shared", shared, "bytes of shared memory"),
                                         fit_by_registers(kernel, launch, config)}));
}

}  // namespace heddle

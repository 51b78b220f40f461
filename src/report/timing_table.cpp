#include "report/timing_table.h"

#include <fmt/format.h>

#include "core/core_parameters.h"
#include "report/breakdown.h"
#include "report/filling.h"
#include "report/kernel_names.h"
#include "report/kernel_rows.h"
#include "report/table.h"

namespace heddle {
namespace {

using Cells = std::vector<std::string>;

// One table with a row per kernel and, below them, the total where there are several.
class KernelTable {
 public:
  KernelTable(const RunResult& result, const std::vector<KernelRow>& rows)
      : result_(result), rows_(rows), names_(result.launches) {}

  template <class CellsOf>
  std::string text(std::vector<Table::Column> columns, CellsOf&& cells_of) const {
    columns.insert(columns.begin(), {{"kernel", false}, {"grid"}, {"block"}});
    Table table(std::move(columns));
    const auto add = [&](Cells cells, const Cells& more) {
      cells.insert(cells.end(), more.begin(), more.end());
      table.add(std::move(cells));
    };
    for (const KernelRow& row : rows_)
      add({names_.of(row.stats.kernel), shape_text(row.stats.grid), shape_text(row.stats.block)},
          cells_of(row.stats, row.launches));
    if (rows_.size() != 1) {
      table.rule();
      add({"total", "", ""}, cells_of(result_.total.stats, static_cast<unsigned>(result_.launches.size())));
    }
    return table.text();
  }

 private:
  const RunResult& result_;
  const std::vector<KernelRow>& rows_;
  const KernelNames names_;
};

TimingStats timing_of(const KernelStats& stats) { return stats.timing.value_or(TimingStats{}); }

std::string ratio_text(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.2f}", share(part, whole));
}

std::string miss_text(const CacheStats& cache) { return cache.accesses() == 0 ? "-" : percent(cache.miss_rate()); }

std::string cycle_table(const RunResult& result, const KernelTable& table) {
  return table.text(
      {{"launches"}, {"cycles"}, {"IPC"}, {"thread instr."}, {"issue slots"}, {"SIMD eff."}, {"idle"}, {"branch eff."}},
      [&](const KernelStats& stats, unsigned launches) -> Cells {
        const TimingStats timing = timing_of(stats);
        const CoreStats cores = timing.all_cores();
        return {std::to_string(launches),
                grouped(timing.cycles),
                fmt::format("{:.2f}", stats.ipc()),
                grouped(stats.thread_instructions),
                grouped(stats.issue_slots),
                percent(stats.simd_efficiency(result.warp_size())),
                percent(share(cores.idle(), cores.cycles())),
                percent(stats.branch_efficiency())};
      });
}

std::string breakdown_table(const RunResult& result, const KernelTable& table) {
  const unsigned warp_size = result.warp_size();
  const bool phantoms = result.timing().all_cores().issue_cycles[0] > 0;
  const auto shown = [&](const CoreStats& cores) {
    std::vector<CycleClass> classes = breakdown_of(cores, warp_size);
    if (!phantoms) classes.pop_back();
    return classes;
  };
  std::vector<Table::Column> columns;
  for (const CycleClass& each : shown({})) columns.push_back({each.name});
  return table.text(std::move(columns), [&](const KernelStats& stats, unsigned) {
    const CoreStats cores = timing_of(stats).all_cores();
    Cells cells;
    for (const CycleClass& each : shown(cores)) cells.push_back(percent(share(each.cycles, cores.cycles())));
    return cells;
  });
}

std::string memory_table(const KernelTable& table) {
  return table.text({{"lines/instr."}, {"mem. stall"}, {"L1 miss"}, {"L2 miss"}, {"row hits"}, {"DRAM"}},
                    [](const KernelStats& stats, unsigned) -> Cells {
                      const TimingStats timing = timing_of(stats);
                      const CoreStats cores = timing.all_cores();
                      const DramStats& dram = timing.memory.dram;
                      return {ratio_text(cores.lines, cores.memory_slots),
                              percent(share(cores.memory_stall_cycles(), timing.core_cycles())),
                              miss_text(cores.l1),
                              miss_text(timing.memory.l2),
                              dram.reads + dram.writes == 0 ? "-" : percent(dram.row_hit_rate()),
                              bytes_text(timing.dram_bytes_per_second()) + "/s"};
                    });
}

std::string cache_table(const CoreStats& cores, const CacheStats& l2) {
  struct Row {
    const char* name;
    const CacheStats& stats;
  };
  Table table({{"cache", false}, {"accesses"}, {"misses"}, {"miss rate"}, {"merged"}, {"fetched"}, {"written back"}});
  bool used = false;
  for (const auto& [name, stats] : {Row{"L1", cores.l1}, Row{"constant", cores.constant}, Row{"texture", cores.texture},
                                    Row{"instruction", cores.instruction}, Row{"L2", l2}}) {
    if (stats.accesses() == 0) continue;
    used = true;
    table.add({name, grouped(stats.accesses()), grouped(stats.misses()), percent(stats.miss_rate()),
               grouped(stats.merges), grouped(stats.fills), grouped(stats.writebacks)});
  }
  return used ? table.text() + "\n" : "";
}

std::string stage_lines(const TimingStats& timing) {
  const CoreStats cores = timing.all_cores();
  std::string text;
  if (cores.memory_slots > 0)
    text += fmt::format("memory slots    {}, {} lines each\n", grouped(cores.memory_slots),
                        ratio_text(cores.lines, cores.memory_slots));
  if (cores.shared_accesses > 0) text += fmt::format("shared memory   {} slots\n", grouped(cores.shared_accesses));
  if (cores.memory_stall_cycles() == 0) return text;
  text += fmt::format("memory stalls   {} of the cycles:",
                      percent(share(cores.memory_stall_cycles(), timing.core_cycles())));
  for (size_t cause = 0; cause < kMemoryStalls; ++cause)
    if (cores.memory_stalls[cause] > 0)
      text += fmt::format(" {} {} ", name_of(static_cast<MemoryStall>(cause)), grouped(cores.memory_stalls[cause]));
  text.back() = '\n';
  return text;
}

std::string below_lines(const TimingStats& timing) {
  std::string text;
  const NetworkStats& network = timing.memory.network;
  if (network.request_packets > 0)
    text += fmt::format("traffic         {} from the cores in {} packets, {} to them in {}\n",
                        bytes_text(static_cast<double>(network.request_bytes)), grouped(network.request_packets),
                        bytes_text(static_cast<double>(network.reply_bytes)), grouped(network.reply_packets));
  if (timing.memory.atomics > 0) text += fmt::format("atomics         {} at the L2\n", grouped(timing.memory.atomics));
  const DramStats& dram = timing.memory.dram;
  if (dram.reads + dram.writes > 0)
    text +=
        fmt::format("DRAM            {} reads, {} writes, row hits {}; {}, {}/s, {} of the peak\n", grouped(dram.reads),
                    grouped(dram.writes), percent(dram.row_hit_rate()), bytes_text(static_cast<double>(dram.bytes)),
                    bytes_text(timing.dram_bytes_per_second()), percent(timing.dram_utilisation()));
  return text;
}

}  // namespace

std::string machine_line(const RunResult& result) {
  const Config& config = result.config;
  const auto some = [&](std::string_view key, std::string_view what) {
    return fmt::format("{} {}{}", config.integer(key), what, config.integer(key) == 1 ? "" : "s");
  };
  const unsigned lanes = CoreParameters::from(config).simd_width;
  return fmt::format("{}{}, warps of {} on {} lanes, {}; {}/{}/{} MHz", fmt::format("preset {}: ", result.spec.preset),
                     some("cores", "core"), result.warp_size(), lanes, some("channels", "memory channel"),
                     config.integer("core_clock"), config.integer("network_clock"), config.integer("memory_clock"));
}

std::string timing_tables(const RunResult& result) {
  const std::vector<KernelRow> rows = kernel_rows(result);
  const KernelTable table(result, rows);
  const TimingStats timing = result.timing();
  const CoreStats cores = timing.all_cores();
  std::string text = cycle_table(result, table);
  if (timing.cycles == 0) return text;
  text += fmt::format("\nwhere the cycles of all cores went\n{}\n", breakdown_table(result, table));
  if (const std::string line = filling_line(result); !line.empty()) text += line + "\n";
  if (rows.size() > 1) text += memory_table(table) + "\n";  // else the lines below say the same
  text += cache_table(cores, timing.memory.l2);
  return text + stage_lines(timing) + below_lines(timing);
}

}  // namespace heddle

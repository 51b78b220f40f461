#include "report/timing_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/breakdown.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json breakdown_json(const CoreStats& core, unsigned warp_size) {
  Json json = Json::object();
  for (const CycleClass& each : breakdown_of(core, warp_size)) json[each.name] = each.cycles;
  return json;
}

Json stalls_json(const CoreStats& core) {
  Json json = Json::object();
  for (size_t cause = 0; cause < kMemoryStalls; ++cause)
    json[std::string(name_of(static_cast<MemoryStall>(cause)))] = core.memory_stalls[cause];
  return json;
}

Json sectors_json(const SectorStats& sectors) {
  return {{"reads", sectors.reads},           {"read_hits", sectors.read_hits}, {"writes", sectors.writes},
          {"write_hits", sectors.write_hits}, {"atomics", sectors.atomics},     {"atomic_hits", sectors.atomic_hits},
          {"fetched", sectors.fetched}};
}

Json cache_json(const CacheStats& cache) {
  return {{"accesses", cache.accesses()},   {"reads", cache.reads},           {"writes", cache.writes},
          {"read_hits", cache.read_hits},   {"write_hits", cache.write_hits}, {"misses", cache.misses()},
          {"merges", cache.merges},         {"fills", cache.fills},           {"unfetched", cache.unfetched},
          {"writebacks", cache.writebacks}, {"miss_rate", cache.miss_rate()}, {"sectors", sectors_json(cache.sectors)}};
}

Json caches_json(const CoreStats& cores, const CacheStats& l2) {
  return {{"l1", cache_json(cores.l1)},
          {"constant", cache_json(cores.constant)},
          {"texture", cache_json(cores.texture)},
          {"instruction", cache_json(cores.instruction)},
          {"l2", cache_json(l2)}};
}

Json traffic_json(const NetworkStats& network) {
  return {{"request_packets", network.request_packets},
          {"request_bytes", network.request_bytes},
          {"reply_packets", network.reply_packets},
          {"reply_bytes", network.reply_bytes}};
}

Json dram_json(const TimingStats& timing) {
  const DramStats& dram = timing.memory.dram;
  return {{"reads", dram.reads},
          {"writes", dram.writes},
          {"row_hits", dram.row_hits},
          {"row_misses", dram.row_misses},
          {"row_conflicts", dram.row_conflicts},
          {"activates", dram.activates},
          {"precharges", dram.precharges},
          {"bytes", dram.bytes},
          {"busy_cycles", dram.busy_cycles},
          {"bytes_per_second", timing.dram_bytes_per_second()},
          {"utilisation", timing.dram_utilisation()}};
}

Json cores_json(const TimingStats& timing, unsigned warp_size) {
  Json json = Json::array();
  for (const CoreStats& core : timing.cores)
    json.push_back({{"cycles", core.cycles()},
                    {"breakdown", breakdown_json(core, warp_size)},
                    {"memory_stall_cycles", core.memory_stall_cycles()},
                    {"l1_accesses", core.l1.accesses()},
                    {"l1_misses", core.l1.misses()}});
  return json;
}

Json interval_json(const Interval& interval, unsigned warp_size) {
  const Sample& counted = interval.counted;
  const DramStats& dram = counted.memory.dram;
  return {{"cycle", counted.cycle},
          {"cycles", interval.cycles},
          {"thread_instructions", counted.thread_instructions},
          {"issue_slots", counted.issue_slots},
          {"ipc", interval.ipc()},
          {"breakdown", breakdown_json(counted.cores, warp_size)},
          {"memory_stall_cycles", counted.cores.memory_stall_cycles()},
          {"l1_accesses", counted.cores.l1.accesses()},
          {"l1_misses", counted.cores.l1.misses()},
          {"l2_accesses", counted.memory.l2.accesses()},
          {"l2_misses", counted.memory.l2.misses()},
          {"dram_reads", dram.reads},
          {"dram_writes", dram.writes},
          {"dram_row_hits", dram.row_hits},
          {"dram_bytes", dram.bytes}};
}

// An interval as cells; the breakdown in its place among them.
std::string cells(const Json& row, bool headings) {
  std::string text;
  for (const auto& [name, value] : row.items())
    text += value.is_object() ? cells(value, headings) : fmt::format(",{}", headings ? name : value.dump());
  return text;
}

}  // namespace

void add_timing(Json& json, const KernelStats& stats, unsigned warp_size) {
  const TimingStats timing = stats.timing.value_or(TimingStats{});
  const CoreStats cores = timing.all_cores();
  const MemoryStats& memory = timing.memory;
  json["begin"] = timing.begin;
  json["cycles"] = timing.cycles;
  json["ipc"] = stats.ipc();
  json["blocks_per_core"] = timing.blocks_per_core;
  json["idle_cycles"] = cores.idle();
  json["empty_cycles"] = cores.empty;
  json["breakdown"] = breakdown_json(cores, warp_size);
  if (cores.machine_instructions > 0) {
    json["machine_instructions"] = cores.machine_instructions;
    json["machine_threads"] = cores.machine_threads;
  }
  json["memory_stall_cycles"] = cores.memory_stall_cycles();
  json["memory_stalls"] = stalls_json(cores);
  json["memory_slots"] = cores.memory_slots;
  json["lines"] = cores.lines;
  json["shared_accesses"] = cores.shared_accesses;
  json["atomics"] = memory.atomics;
  json["l1_miss_rate"] = cores.l1.miss_rate();
  json["l2_miss_rate"] = memory.l2.miss_rate();
  json["dram_row_hit_rate"] = memory.dram.row_hit_rate();
  json["caches"] = caches_json(cores, memory.l2);
  json["traffic"] = traffic_json(memory.network);
  json["dram"] = dram_json(timing);
  json["cores"] = cores_json(timing, warp_size);
}

Json samples_json(const KernelStats& stats, unsigned warp_size) {
  Json json = Json::array();
  for (const Interval& interval : intervals_of(stats)) json.push_back(interval_json(interval, warp_size));
  return json;
}

std::string samples_csv(const RunResult& result) {
  std::string text = fmt::format("launch,kernel{}\n", cells(interval_json({}, result.warp_size()), true));
  for (size_t launch = 0; launch < result.launches.size(); ++launch) {
    const KernelStats& stats = result.launches[launch].stats;
    for (const Json& row : samples_json(stats, result.warp_size()))
      text += fmt::format("{},{}{}\n", launch, stats.kernel, cells(row, false));
  }
  return text;
}

}  // namespace heddle

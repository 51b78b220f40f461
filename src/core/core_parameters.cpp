#include "core/core_parameters.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "memory/sectors.h"

namespace heddle {
namespace {

class Reader {
 public:
  explicit Reader(const Config& config) : config_(config) {}

  unsigned value(std::string_view key) const { return static_cast<unsigned>(config_.integer(key)); }

  UnitTiming unit(const std::string& name, unsigned interval) const {
    const unsigned own = value(name + "_interval");
    return checked(name, {value(name + "_latency"), own == 0 ? interval : own}, interval);
  }

  // Where it says nothing of its own, as another unit.
  UnitTiming unit_like(const UnitTiming& other, const std::string& name, unsigned interval) const {
    const unsigned latency = value(name + "_latency"), own = value(name + "_interval");
    return checked(name, {latency == 0 ? other.latency : latency, own == 0 ? other.interval : own}, interval);
  }

  static UnitTiming checked(const std::string& name, const UnitTiming& timing, unsigned interval) {
    if (timing.latency < interval)
      refuse(fmt::format("{}_latency = {}: a warp instruction takes {} cycles (warp_size / simd_width)", name,
                         timing.latency, interval));
    return timing;
  }

  // Of a control instruction: its own, or as the integer unit's.
  unsigned latency(const std::string& name, const CoreParameters& p) const {
    const unsigned own = value(name + "_latency");
    if (own > 0 && own < p.interval)
      refuse(fmt::format("{}_latency = {}: a warp instruction takes {} cycles (warp_size / simd_width)", name, own,
                         p.interval));
    if (own > 0 && p.shared_pipeline && own <= p.memory_stage)
      refuse(fmt::format("{}_latency = {}: must be larger than memory_stage = {}", name, own, p.memory_stage));
    return own == 0 ? p.unit(Unit::Integer).latency : own;
  }

  unsigned memory_latency(const std::string& name, const CoreParameters& p) const {
    const unsigned own = value(name + "_latency");
    if (own > 0 && own <= p.memory_stage)
      refuse(fmt::format("{}_latency = {}: must be larger than memory_stage = {}", name, own, p.memory_stage));
    return own == 0 ? p.unit(Unit::Memory).latency : own;
  }

  CacheShape cache(const std::string& name) const {
    const CacheShape shape{value(name + "_bytes"), value(name + "_line"), value(name + "_ways")};
    if (!std::has_single_bit(shape.line)) refuse(fmt::format("{}_line = {}: must be a power of two", name, shape.line));
    if (shape.bytes == 0) return shape;
    const unsigned sets = shape.bytes / shape.line / shape.ways;
    if (sets * shape.line * shape.ways != shape.bytes)
      refuse(fmt::format("{}_bytes = {}: lines of {} bytes in sets of {} do not make that", name, shape.bytes,
                         shape.line, shape.ways));
    check_line(name, shape);
    return shape;
  }

  void check_carve_outs() const {
    const unsigned unified = value("unified_bytes");
    if (unified == 0) return;
    const auto largest = static_cast<unsigned>(config_.numbers("carve_outs").back());
    if (largest < value("core_shared"))
      refuse(fmt::format("carve_outs: the largest, {}, does not hold core_shared = {}", largest, value("core_shared")));
    if (largest > unified)
      refuse(fmt::format("carve_outs: the largest, {}, is more than unified_bytes = {}", largest, unified));
  }

  void check_line(const std::string& name, const CacheShape& shape) const {
    if (shape.line > value("l2_line"))
      refuse(fmt::format("{}_line = {} is larger than a line below it (l2_line = {})", name, shape.line,
                         value("l2_line")));
  }

  [[noreturn]] static void refuse(const std::string& what) { throw Error(ExitCode::Usage, what); }

 private:
  const Config& config_;
};

}  // namespace

CoreParameters CoreParameters::from(const Config& config) {
  const Reader read(config);
  CoreParameters p{};
  p.warp_size = read.value("warp_size");
  p.simd_width = read.value("simd_width") == 0 ? p.warp_size : read.value("simd_width");
  if (p.warp_size % p.simd_width != 0)
    Reader::refuse(fmt::format("simd_width = {} does not divide warp_size = {}", p.simd_width, p.warp_size));
  p.interval = p.warp_size / p.simd_width;
  p.sub_cores = read.value("sub_cores");
  p.form_cycles = read.value("form_cycles");
  const UnitTiming integer = read.unit("int", p.interval);
  p.units = {integer,
             read.unit("f32", p.interval),
             read.unit("f64", p.interval),
             read.unit("sfu", p.interval),
             read.unit("memory", p.interval),
             read.unit("tensor", p.interval),
             read.unit_like(integer, "mul", p.interval),
             integer};
  p.mul_with_f32 = config.boolean("mul_with_f32");
  p.third_read = read.value("f64_third_read");
  p.third_port = read.value("f64_third_port");
  p.special_queue = read.value("sfu_queue");
  p.special_queue_cycles = read.value("sfu_queue_cycles");
  p.double_thirds = read.value("f64_thirds");
  if (p.special_queue > 0 && p.special_queue_cycles >= p.unit(Unit::Special).latency)
    Reader::refuse(fmt::format("sfu_queue_cycles = {}: must be less than sfu_latency = {}", p.special_queue_cycles,
                               p.unit(Unit::Special).latency));
  p.jump_thirds = read.value("jump_thirds");
  p.wide_result = read.value("sfu_wide_result");
  p.memory_stage = read.value("memory_stage");
  p.shared_pipeline = config.boolean("shared_pipeline");
  if (p.special_queue > 0 && p.shared_pipeline)
    Reader::refuse("sfu_queue: with shared_pipeline there is no such queue");
  p.branch_latency = read.latency("branch", p);
  p.barrier_latency = read.latency("barrier", p);
  p.sync_latency = read.latency("sync", p);
  p.vote_latency = read.value("vote_latency") == 0 ? p.sync_latency : read.latency("vote", p);
  p.barrier_interval = read.value("barrier_interval");
  p.warp_interval = read.value("warp_interval");
  p.store_latency = read.value("store_latency");
  p.parameter_latency = read.value("parameter_latency");
  p.register_scoreboard = config.text("scoreboard") == "register";
  for (const char* name : {"int", "f32", "f64", "sfu", "memory", "mul"}) {
    const bool passes = p.shared_pipeline || std::string_view(name) == "memory";
    const unsigned latency = read.value(std::string(name) + "_latency");
    if (passes && latency <= p.memory_stage && (latency > 0 || std::string_view(name) != "mul"))
      Reader::refuse(
          fmt::format("{}_latency = {}: must be larger than memory_stage = {}", name, latency, p.memory_stage));
  }
  p.shared_latency = read.memory_latency("shared", p);
  p.const_latency = read.memory_latency("const", p);
  p.stage_cycles = read.value("stage_cycles") == 0 ? p.interval : read.value("stage_cycles");
  p.memory_queue = read.value("memory_queue");
  p.memory_apart = read.value("memory_apart");
  p.address_interval = read.value("address_interval");
  if (p.memory_queue > 0 && p.shared_pipeline)
    Reader::refuse(fmt::format("memory_queue = {}: with shared_pipeline all instructions wait in one", p.memory_queue));
  p.threads = read.value("core_threads");
  p.shared_banks = read.value("shared_banks");
  p.shared_pass = read.value("shared_pass");
  p.store_pass = read.value("store_pass");
  p.shared_ports = read.value("shared_ports");
  p.shared_atomic_cycles = read.value("shared_atomic_cycles");
  p.shared_cas_cycles = read.value("shared_cas_cycles");
  p.shared_retry_cycles = read.value("shared_retry_cycles");
  p.coalesce_bytes = read.value("coalesce_bytes");
  p.coalesce_lanes = read.value("coalesce_lanes");
  p.reply_slots = config.boolean("reply_slots");
  if (p.reply_slots && !p.shared_pipeline) Reader::refuse("reply_slots = true: there is no shared_pipeline");
  p.private_bytes = read.value("private_bytes");
  p.l1 = read.cache("l1");
  p.l1.sectors = read.value("l1_sector") > 0;
  p.l1.on_fill = config.text("l1_allocate") == "fill";
  p.l1.on_write = p.l1.on_fill && p.l1.sectors && config.text("l1_write_miss") == "allocate";
  p.l1.hash = config.boolean("l1_hash");
  if (p.l1.sectors && p.l1.line < kSectorBytes)
    Reader::refuse(fmt::format("l1_sector = {}: larger than l1_line = {}", kSectorBytes, p.l1.line));
  read.check_carve_outs();
  p.constant = read.cache("const");
  p.texture = read.cache("texture");
  p.instruction = read.cache("icache");
  read.check_line("l1", p.l1);  // accesses are joined to lines of that size without a cache, too
  if (p.texture.bytes > 0 && p.texture.line != p.l1.line)
    Reader::refuse(fmt::format("texture_line = {}: must be l1_line = {}, to which accesses are joined", p.texture.line,
                               p.l1.line));
  p.l1_latency = read.value("l1_latency");
  p.l1_mshrs = read.value("l1_mshrs");
  p.l1_merges = read.value("l1_merges");
  p.l1_mshr_each = config.text("l1_mshr_use") == "access";
  p.l1_cycle = read.value("l1_cycle");
  p.l1_read_ports = read.value("l1_read_ports");
  p.l1_write_ports = read.value("l1_write_ports");
  p.l1_banks = read.value("l1_banks");
  p.l1_miss_ports = read.value("l1_miss_ports") == 0 ? 32 : read.value("l1_miss_ports");
  p.local_back = config.text("local_writes") == "back";
  p.l1_past = config.boolean("l1_past");
  p.store_lines = read.value("store_lines");
  p.store_runs = config.boolean("store_runs");
  p.store_wait = read.value("store_wait");
  p.l1_write_back = config.text("l1_writes") == "back";
  p.atomic_lanes = config.text("atomic_requests") == "lane";
  p.atomic_sectors = config.text("atomic_operations") == "sector";
  p.constant_lines = config.text("const_joins") == "line";
  p.constant_ports = read.value("const_ports");
  p.instruction_bytes = read.value("instruction_bytes");
  p.near_lines = read.value("icache_near_bytes") / p.instruction.line;
  if (p.near_lines > 0 && !std::has_single_bit(p.near_lines))
    Reader::refuse(fmt::format("icache_near_bytes = {}: must be a power of two, and a line (icache_line = {}) at least",
                               read.value("icache_near_bytes"), p.instruction.line));
  p.lines_ahead = read.value("icache_ahead");
  return p;
}

}  // namespace heddle

#include "core/core_parameters.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"

namespace heddle {
namespace {

using enum Key::Kind;

// What a core holds.
constexpr Key kRoomKeys[] = {
    {"warp_size", Choice, "32", "threads of a warp", "2 4 8 16 32"},
    {"core_threads", Integer, "2048", "threads resident on a core", "32 32768"},
    {"core_blocks", Integer, "32", "blocks resident on a core", "1 1024"},
    {"core_registers", Integer, "65536", "32-bit registers of a core", "1024 16777216"},
    {"register_rounding", Integer, "1", "registers of a thread are a multiple of this", "1 256"},
    {"core_shared", Integer, "233472", "bytes of shared memory of a core", "0 268435456"},
    {"occupancy_limit", Choice, "all", "what limits the blocks on a core: all of the above, or its threads alone",
     "all threads"},
    {"blocks_per_core", PerKernel, "0",
     "blocks resident on a core, however many would fit by more than threads; 0: computed", "0 1024"},
};

// How it runs, with a clock.
constexpr Key kKeys[] = {
    {"simd_width", Choice, "0", "lanes: a warp instruction takes warp_size / simd_width cycles; 0: as a warp",
     "0 1 2 4 8 16 32"},
    {"scoreboard", Choice, "register", "what waits for an instruction under way: its warp, or who uses its registers",
     "warp register"},
    {"shared_pipeline", Boolean, "false", "all instructions pass the memory stage, in order; a stall there stalls all",
     ""},
    {"memory_stage", Integer, "4", "cycles from issue to the memory stage", "1 1000"},
    {"int_latency", Integer, "4", "cycles of an integer, logic or control instruction", "1 1000"},
    {"int_interval", Integer, "0", "cycles until the integer unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"f32_latency", Integer, "4", "cycles of a 16- or 32-bit floating-point instruction", "1 1000"},
    {"f32_interval", Integer, "0", "cycles until that unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"f64_latency", Integer, "16", "cycles of a 64-bit floating-point instruction", "1 1000"},
    {"f64_interval", Integer, "16", "cycles until that unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"sfu_latency", Integer, "16", "cycles of a special function: sin, cos, ex2, lg2, rcp, rsqrt, sqrt, div, tanh",
     "1 1000"},
    {"sfu_interval", Integer, "8", "cycles until that unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"memory_latency", Integer, "24", "cycles of a load that hits, of shared memory without conflict, of a store",
     "1 1000"},
    {"memory_interval", Integer, "0", "cycles until the load/store unit takes the next; 0: warp_size / simd_width",
     "0 1000"},
    {"shared_banks", Choice, "32", "banks of shared memory; that many lanes are served together", "1 2 4 8 16 32"},
    {"shared_pass", Integer, "1", "cycles of one pass over the banks", "1 64"},
    {"shared_ports", Integer, "1", "passes that go together", "1 32"},
    {"coalesce_lanes", Choice, "32",
     "lanes whose accesses to one line are one; the next as many are joined by themselves", "1 2 4 8 16 32"},
    {"reply_slots", Boolean, "false",
     "an access that comes back from memory takes the place of an instruction at the end of the shared pipeline", ""},
    {"private_bytes", Integer, "0", "on-chip local memory of a core, a bank per lane; 0: local memory is cached memory",
     "0 268435456"},
    {"l1_bytes", Integer, "131072", "L1 data cache; 0: none", "0 268435456"},
    {"l1_line", Integer, "128", "bytes of a line", "16 128"},
    {"l1_ways", Integer, "4", "ways of a set", "1 64"},
    {"l1_latency", Integer, "1", "cycles of the L1; more than one are added to memory_latency", "1 1000"},
    {"l1_mshrs", Integer, "64", "lines the L1 can wait for", "1 65536"},
    {"l1_merges", Integer, "16", "accesses that can wait for one of them", "1 65536"},
    {"l1_mshr_use", Choice, "line", "what takes an MSHR: a line, or each access that waits for one, atomics too",
     "line access"},
    {"l1_cycle", Integer, "1", "cycles in which the ports of the caches serve their lines once", "1 64"},
    {"l1_read_ports", Integer, "1", "lines read in such a cycle", "1 32"},
    {"l1_write_ports", Integer, "1", "lines written in such a cycle, fills included", "1 32"},
    {"l1_miss_ports", Integer, "0", "lines that may go below in such a cycle; 0: as many as there are ports", "0 32"},
    {"l1_writes", Choice, "through",
     "a store to a line that is there: sent below as well, or kept until the line must go (then local memory, too, is "
     "sent below where it misses)",
     "through back"},
    {"const_bytes", Integer, "0", "constant cache; 0: constants always hit", "0 268435456"},
    {"const_line", Integer, "64", "bytes of a line of it", "16 128"},
    {"const_ways", Integer, "4", "ways of a set of it", "1 64"},
    {"const_joins", Choice, "address", "which constants of an instruction are read as one: of an address, or of a line",
     "address line"},
    {"const_ports", Integer, "1", "of these, how many in an l1_cycle", "1 32"},
    {"texture_bytes", Integer, "0", "texture cache, for ld.global.nc; 0: those go to the L1", "0 268435456"},
    {"texture_line", Integer, "64", "bytes of a line of it", "16 128"},
    {"texture_ways", Integer, "16", "ways of a set of it", "1 64"},
    {"icache_bytes", Integer, "0", "instruction cache; 0: instructions are always there", "0 268435456"},
    {"icache_line", Integer, "128", "bytes of a line of it", "16 128"},
    {"icache_ways", Integer, "4", "ways of a set of it", "1 64"},
    {"instruction_bytes", Integer, "8", "bytes of an instruction in it", "1 64"},
};

class Reader {
 public:
  explicit Reader(const Config& config) : config_(config) {}

  unsigned value(std::string_view key) const { return static_cast<unsigned>(config_.integer(key)); }

  UnitTiming unit(const std::string& name, unsigned interval) const {
    const unsigned own = value(name + "_interval");
    const UnitTiming timing{value(name + "_latency"), own == 0 ? interval : own};
    if (timing.latency < interval)
      refuse(fmt::format("{}_latency = {}: a warp instruction takes {} cycles (warp_size / simd_width)", name,
                         timing.latency, interval));
    return timing;
  }

  CacheShape cache(const std::string& name) const {
    const CacheShape shape{value(name + "_bytes"), value(name + "_line"), value(name + "_ways")};
    if (!std::has_single_bit(shape.line)) refuse(fmt::format("{}_line = {}: must be a power of two", name, shape.line));
    if (shape.bytes == 0) return shape;
    const unsigned sets = shape.bytes / shape.line / shape.ways;
    if (sets * shape.line * shape.ways != shape.bytes || !std::has_single_bit(sets))
      refuse(fmt::format("{}_bytes = {}: {} lines of {} bytes in sets of {} do not make a power of two of sets", name,
                         shape.bytes, shape.bytes / shape.line, shape.line, shape.ways));
    check_line(name, shape);
    return shape;
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

std::span<const Key> CoreParameters::room_keys() { return kRoomKeys; }
std::span<const Key> CoreParameters::keys() { return kKeys; }

CoreParameters CoreParameters::from(const Config& config) {
  const Reader read(config);
  CoreParameters p{};
  p.warp_size = read.value("warp_size");
  p.simd_width = read.value("simd_width") == 0 ? p.warp_size : read.value("simd_width");
  if (p.warp_size % p.simd_width != 0)
    Reader::refuse(fmt::format("simd_width = {} does not divide warp_size = {}", p.simd_width, p.warp_size));
  p.interval = p.warp_size / p.simd_width;
  p.form_cycles = read.value("form_cycles");
  p.units = {read.unit("int", p.interval), read.unit("f32", p.interval), read.unit("f64", p.interval),
             read.unit("sfu", p.interval), read.unit("memory", p.interval)};
  p.memory_stage = read.value("memory_stage");
  p.shared_pipeline = config.boolean("shared_pipeline");
  p.register_scoreboard = config.text("scoreboard") == "register";
  for (const char* name : {"int", "f32", "f64", "sfu", "memory"}) {
    const bool passes = p.shared_pipeline || std::string_view(name) == "memory";
    if (const unsigned latency = read.value(std::string(name) + "_latency"); passes && latency <= p.memory_stage)
      Reader::refuse(
          fmt::format("{}_latency = {}: must be larger than memory_stage = {}", name, latency, p.memory_stage));
  }
  p.threads = read.value("core_threads");
  p.shared_banks = read.value("shared_banks");
  p.shared_pass = read.value("shared_pass");
  p.shared_ports = read.value("shared_ports");
  p.coalesce_lanes = read.value("coalesce_lanes");
  p.reply_slots = config.boolean("reply_slots");
  if (p.reply_slots && !p.shared_pipeline) Reader::refuse("reply_slots = true: there is no shared_pipeline");
  p.private_bytes = read.value("private_bytes");
  p.l1 = read.cache("l1");
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
  p.l1_miss_ports = read.value("l1_miss_ports") == 0 ? 32 : read.value("l1_miss_ports");
  p.l1_write_back = config.text("l1_writes") == "back";
  p.atomic_lanes = config.text("atomic_requests") == "lane";
  p.constant_lines = config.text("const_joins") == "line";
  p.constant_ports = read.value("const_ports");
  p.instruction_bytes = read.value("instruction_bytes");
  return p;
}

}  // namespace heddle

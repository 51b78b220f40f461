#include "core/core_parameters.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "memory/sectors.h"

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
    {"sub_cores", Choice, "1",
     "parts of a core that issue by themselves, each with its own scheduler, issue port, units and share of the warps",
     "1 2 4 8"},
    {"core_shared", Integer, "233472", "bytes of shared memory of a core", "0 268435456"},
    {"shared_unit", Integer, "1", "shared memory of a block is a multiple of this", "1 65536"},
    {"shared_reserved", Integer, "0", "bytes of shared memory that the machine keeps for each block", "0 65536"},
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
    {"mul_latency", Integer, "0", "cycles of an integer product, where machine code is; 0: int_latency", "0 1000"},
    {"mul_interval", Integer, "0", "cycles until that unit takes the next; 0: int_interval", "0 1000"},
    {"mul_with_f32", Boolean, "false", "they and 32-bit floating point take one pipe, in machine code", ""},
    {"f32_latency", Integer, "4", "cycles of a 16- or 32-bit floating-point instruction", "1 1000"},
    {"f32_interval", Integer, "0", "cycles until that unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"f64_latency", Integer, "16", "cycles of a 64-bit floating-point instruction", "1 1000"},
    {"f64_interval", Integer, "16", "cycles until that unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"f64_third_read", Integer, "0", "cycles more for which one of machine code takes it that reads three registers",
     "0 1000"},
    {"f64_thirds", Integer, "0", "thirds of a cycle more for which one of machine code takes the port", "0 1000"},
    {"f64_third_port", Integer, "0", "cycles more for which such a one takes the port", "0 1000"},
    {"sfu_latency", Integer, "16", "cycles of a special function: sin, cos, ex2, lg2, rcp, rsqrt, sqrt, div, tanh",
     "1 1000"},
    {"sfu_interval", Integer, "8", "cycles until that unit takes the next; 0: warp_size / simd_width", "0 1000"},
    {"sfu_wide_result", Integer, "0",
     "cycles more for which a conversion to 64-bit floating point takes it, in machine code", "0 1000"},
    {"sfu_queue", Integer, "0",
     "special functions that wait in each sub-core until that unit is free and the port issues nothing; 0: they go to "
     "the unit at once, which must be free",
     "0 64"},
    {"sfu_queue_cycles", Integer, "1", "of sfu_latency: cycles from issue to where they can leave that queue",
     "1 1000"},
    {"tensor_latency", Integer, "17", "cycles of the least matrix product: mma.m16n8k8 of f16; others take some more",
     "1 100"},
    {"tensor_interval", Integer, "2", "cycles of half of such a product, until that unit takes the next", "1 100"},
    {"branch_latency", Integer, "0", "cycles of a branch, call, return or exit; 0: int_latency", "0 1000"},
    {"jump_thirds", Integer, "0",
     "thirds of a cycle more for which a jump takes the port, for what was fetched behind it, in machine code",
     "0 1000"},
    {"barrier_latency", Integer, "0", "cycles of a barrier, once all have come; 0: int_latency", "0 1000"},
    {"barrier_interval", Integer, "0", "cycles in which a core notes one warp that comes to a barrier", "0 1000"},
    {"warp_interval", Integer, "0", "core cycles from a warp of a new block that a core starts to the next", "0 1000"},
    {"store_latency", Integer, "0",
     "core cycles from a store to global or local memory that leaves a core until it has arrived, before which its "
     "block keeps its place; 0: a block does not wait for what it has stored",
     "0 100000"},
    {"parameter_latency", Integer, "0",
     "core cycles from the first block of a launch on a core until that core has the parameters", "0 100000"},
    {"vote_latency", Integer, "0", "cycles of a vote; 0: sync_latency", "0 1000"},
    {"sync_latency", Integer, "0", "cycles of a warp-wide instruction: shfl, vote, match, redux; 0: int_latency",
     "0 1000"},
    {"memory_latency", Integer, "24", "cycles of a load that hits, of shared memory without conflict, of a store",
     "1 1000"},
    {"memory_interval", Integer, "0", "cycles until the load/store unit takes the next; 0: warp_size / simd_width",
     "0 1000"},
    {"shared_latency", Integer, "0", "cycles of shared memory without conflict; 0: memory_latency", "0 1000"},
    {"const_latency", Integer, "0", "cycles of a constant that hits; 0: memory_latency", "0 1000"},
    {"stage_cycles", Integer, "0", "cycles until the memory stage takes the next; 0: warp_size / simd_width", "0 1000"},
    {"memory_queue", Integer, "0",
     "memory instructions that wait in each sub-core for the memory stage; 0: all wait on the way there", "0 64"},
    {"memory_apart", Integer, "0",
     "cycles from an instruction of a warp for memory to the next, if that is for memory, too", "0 1000"},
    {"address_interval", Integer, "1", "memory_queue: cycles from one that leaves a sub-core to the next", "1 64"},
    {"shared_banks", Choice, "32", "banks of shared memory; that many lanes are served together", "1 2 4 8 16 32"},
    {"shared_pass", Integer, "1", "cycles of one pass over the banks", "1 64"},
    {"store_pass", Integer, "0",
     "cycles of the memory stage for each word of a thread that a store to global or local memory has, if its lines "
     "take less",
     "0 64"},
    {"shared_ports", Integer, "1", "passes that go together", "1 32"},
    {"shared_atomic_cycles", Integer, "0", "cycles that each pass of an atomic on shared memory takes more", "0 1000"},
    {"shared_cas_cycles", Integer, "0", "cycles that an exchange on condition in shared memory takes more than others",
     "0 1000"},
    {"shared_retry_cycles", Integer, "0",
     "the same of one in the loop that is an atomic which shared memory has not, in machine code", "0 1000"},
    {"coalesce_lanes", Choice, "32",
     "lanes whose accesses to one line are one; the next as many are joined by themselves", "1 2 4 8 16 32"},
    {"coalesce_bytes", Integer, "0",
     "that many fewer lanes where they access more bytes than these together; 0: however many", "0 4096"},
    {"reply_slots", Boolean, "false",
     "an access that comes back from memory takes the place of an instruction at the end of the shared pipeline", ""},
    {"private_bytes", Integer, "0", "on-chip local memory of a core, a bank per lane; 0: local memory is cached memory",
     "0 268435456"},
    {"l1_bytes", Integer, "131072", "L1 data cache; 0: none", "0 268435456"},
    {"unified_bytes", Integer, "0",
     "what L1 and shared memory of a core have together: the L1 has what carve_outs leave; 0: l1_bytes and core_shared",
     "0 268435456"},
    {"carve_outs", Numbers, "0",
     "unified_bytes: the sizes that shared memory can have; the smallest that holds the blocks of a launch",
     "0 268435456"},
    {"l1_line", Integer, "128", "bytes of a line", "16 128"},
    {"l1_ways", Integer, "4", "ways of a set", "1 64"},
    {"l1_sector", Choice, "0", "bytes of the parts of a line that are kept and asked for by themselves; 0: whole lines",
     "0 32"},
    {"l1_allocate", Choice, "miss", "when a line takes its way: with the miss, or when it comes (no set is ever full)",
     "miss fill"},
    {"l1_write_miss", Choice, "pass",
     "with l1_sector and l1_allocate = fill: sectors that a store sends below whole are not kept in the L1, or are",
     "pass allocate"},
    {"l1_hash", Boolean, "false", "lines are spread over the sets, so that strides do not meet in few of them", ""},
    {"l1_latency", Integer, "1", "cycles of the L1; more than one are added to memory_latency", "1 1000"},
    {"l1_mshrs", Integer, "64", "lines the L1 can wait for", "1 65536"},
    {"l1_merges", Integer, "16", "accesses that can wait for one of them", "1 65536"},
    {"l1_mshr_use", Choice, "line", "what takes an MSHR: a line, or each access that waits for one, atomics too",
     "line access"},
    {"l1_cycle", Integer, "1", "cycles in which the ports of the caches serve their lines once", "1 64"},
    {"l1_read_ports", Integer, "1", "lines read in such a cycle", "1 32"},
    {"l1_write_ports", Integer, "1", "lines written in such a cycle, fills included", "1 32"},
    {"l1_banks", Choice, "0",
     "banks of the L1: a load passes as often over them as lanes want different words of one; 0: a line at a time",
     "0 1 2 4 8 16 32"},
    {"l1_miss_ports", Integer, "0", "lines that may go below in such a cycle; 0: as many as there are ports", "0 32"},
    {"l1_writes", Choice, "through",
     "a store to a line that is there: sent below as well, or kept until the line must go (then local memory, too, is "
     "sent below where it misses)",
     "through back"},
    {"local_writes", Choice, "back",
     "a store to local memory: kept in the L1 until the line must go, or sent below as other stores are",
     "back through"},
    {"l1_past", Boolean, "false",
     "loads marked cg, cv or volatile, or of a scope beyond the block, pass the L1 and ask the L2", ""},
    {"store_lines", Integer, "0",
     "lines that were stored to and wait for more: what is stored to one of them meanwhile is sent with it; 0: none "
     "waits",
     "0 256"},
    {"store_runs", Boolean, "false",
     "stores of a warp that follow each other are not parted by those of other warps of its sub-core", ""},
    {"store_wait", Integer, "1", "cycles without a store after which they go, one in a cycle", "1 1000"},
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
    {"icache_near_bytes", Integer, "0",
     "instruction cache of each sub-core before that one, where every line has one place; 0: none", "0 1048576"},
    {"icache_ahead", Integer, "0", "lines behind one that is executed which are fetched with it", "0 256"},
    {"instruction_bytes", Integer, "8", "bytes of an instruction in it", "1 64"},
};

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

#include "memory/memory_parameters.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "memory/sectors.h"

namespace heddle {
namespace {

constexpr Key kKeys[] = {
    {"channels", Key::Kind::Integer, "2", "memory channels, each with a slice of the L2", "1 128"},
    {"channel_interleave", Key::Kind::Integer, "256", "bytes that lie in one channel before the next one's",
     "32 65536"},
    {"channel_hash", Key::Kind::Boolean, "false",
     "each round over the channels, and over the banks of one, starts at another: strides do not meet in few of them",
     ""},
    {"channel_scatter", Key::Kind::Integer, "0",
     "rounds over the channels that are dealt out together in a random order: few lines lie unevenly; 0: each by "
     "itself",
     "0 1024"},
    {"network_latency", Key::Kind::Integer, "8", "network cycles from a core to an L2 slice, and back", "0 1000"},
    {"network_bytes", Key::Kind::Integer, "32", "bytes per network cycle and port; 0: a packet takes no time",
     "0 4096"},
    {"network_reply_bytes", Key::Kind::Integer, "0", "the same for replies; 0: as network_bytes", "0 4096"},
    {"l2_port_bytes", Key::Kind::Integer, "0",
     "bytes per network cycle that a slice takes of requests; 0: as a core sends", "0 4096"},
    {"network_takes", Key::Kind::Integer, "1",
     "packets that a slice or a core is given in a network cycle, if they are less than its width (network_packets = "
     "bytes)",
     "1 16"},
    {"l2_reply_bytes", Key::Kind::Integer, "0", "bytes per network cycle that a slice sends; 0: as a core takes",
     "0 4096"},
    {"network_packets", Key::Kind::Choice, "cycles",
     "what a packet takes of a port: whole cycles, or its bytes where others follow without a gap", "cycles bytes"},
    {"network_queue", Key::Kind::Integer, "8", "packets that wait at a port", "1 1024"},
    {"network_concentration", Key::Kind::Integer, "1", "cores that share a port, there and back", "1 1024"},
    {"read_group", Key::Kind::Integer, "1",
     "cores whose reads of the same sectors are one request while the first is under way; 1: each asks for itself",
     "1 256"},
    {"icache_groups", Key::Kind::Integer, "0",
     "caches of code that cores share, each so many neighbours, before the L2; 0: none", "0 1024"},
    {"icache_group_bytes", Key::Kind::Integer, "131072", "bytes of one of them", "1024 268435456"},
    {"icache_group_ways", Key::Kind::Integer, "4", "ways of a set of it", "1 64"},
    {"icache_group_latency", Key::Kind::Integer, "100",
     "core cycles until a line of it is with a core that asks for it", "1 1000"},
    {"icache_group_far_latency", Key::Kind::Integer, "0",
     "core cycles that this takes longer for the last core of a group, and less the nearer one is to the first",
     "0 1000"},
    {"icache_group_miss_latency", Key::Kind::Integer, "250",
     "core cycles instead of icache_group_latency for a line that it has not, from the L2", "1 10000"},
    {"icache_group_clock", Key::Kind::Integer, "0",
     "MHz of its clock, in each cycle of which it looks one line up; 0: any number at any time", "0 100000"},
    {"icache_group_joins", Key::Kind::Integer, "1",
     "cores that sit together: if one waits for a line to be looked up, another that asks for it waits with it",
     "1 1024"},
    {"icache_group_launch", Key::Kind::Integer, "0", "bytes of a kernel's first code that a launch puts into each",
     "0 268435456"},
    {"packet_header", Key::Kind::Integer, "8", "bytes of a request beside its data", "0 256"},
    {"reply_header", Key::Kind::Integer, "8", "bytes of a reply beside its data", "0 256"},
    {"write_packet", Key::Kind::Choice, "bytes",
     "what a write sends: the bytes it writes, the sectors of 32 bytes they lie in, or its line (and which of it, a "
     "bit "
     "per byte, if not all)",
     "bytes sectors line"},
    {"write_mask_bytes", Key::Kind::Integer, "0",
     "write_packet = sectors: bytes of a packet more, where some sector is not written whole: which bytes are",
     "0 256"},
    {"l2_bytes", Key::Kind::Integer, "1048576", "L2 per channel; 0: none", "0 268435456"},
    {"l2_line", Key::Kind::Integer, "128", "bytes of a line of the L2, and of a DRAM access", "32 1024"},
    {"l2_ways", Key::Kind::Integer, "16", "ways of a set of the L2", "1 64"},
    {"l2_sector", Key::Kind::Choice, "0",
     "bytes of the parts of a line that are kept and fetched by themselves; 0: whole lines", "0 32"},
    {"l2_hash", Key::Kind::Boolean, "false", "lines are spread over the sets of a slice", ""},
    {"l2_partitions", Key::Kind::Integer, "1", "parts of the L2, each with its share of the channels and of the cores",
     "1 64"},
    {"l2_far_latency", Key::Kind::Integer, "0",
     "network cycles that an answer of the L2 takes longer, there and back, to a core of another part", "0 1000"},
    {"l2_far_miss_latency", Key::Kind::Integer, "0",
     "the same of an answer that had to be fetched from DRAM; 0: as l2_far_latency", "0 1000"},
    {"l2_far_cycles", Key::Kind::Integer, "0",
     "an atomic for another part passes a slice of the core's own: network cycles that each sector takes of that one",
     "0 1000"},
    {"l2_latency", Key::Kind::Integer, "10", "network cycles of a hit in the L2", "1 1000"},
    {"l2_miss_latency", Key::Kind::Integer, "0", "network cycles that a miss takes in the L2, beside DRAM", "0 1000"},
    {"l2_miss_queue", Key::Kind::Integer, "0",
     "DRAM accesses that step aside at a slice while the DRAM queue is full; 0: the requests behind them wait",
     "0 4096"},
    {"l2_write_miss", Key::Kind::Choice, "allocate", "a write that misses: takes a line, or is passed on to DRAM",
     "allocate pass"},
    {"l2_mshrs", Key::Kind::Integer, "32", "lines a slice of the L2 can wait for", "1 4096"},
    {"l2_merges", Key::Kind::Integer, "32", "requests that can wait for one of them", "1 4096"},
    {"l2_queue", Key::Kind::Integer, "8", "requests that wait at a slice, and replies behind it", "1 1024"},
    {"atomic_requests", Key::Kind::Choice, "line",
     "an atomic: its lanes on one line are one request with their operands, or each lane asks for the line by itself",
     "line lane"},
    {"atomic_operations", Key::Kind::Choice, "lane",
     "what of such a request is an operation: each lane, or those of one sector of 32 bytes, of which lanes on one "
     "address go one after another",
     "lane sector"},
    {"atomic_cycles", Key::Kind::Integer, "1", "network cycles of one atomic operation at the L2", "0 1000"},
    {"atomic_clock", Key::Kind::Integer, "0", "MHz in which these are counted instead; 0: the network's", "0 100000"},
    {"dram_banks", Key::Kind::Integer, "8", "banks of a channel", "1 64"},
    {"dram_row_bytes", Key::Kind::Integer, "2048", "bytes of an open row", "64 65536"},
    {"dram_bytes_per_cycle", Key::Kind::Integer, "8", "bytes per memory cycle and channel", "1 1024"},
    {"dram_access_bytes", Key::Kind::Choice, "64",
     "with l2_sector: bytes that DRAM reads or writes together, or multiples of that", "32 64 128"},
    {"dram_queue", Key::Kind::Integer, "32", "requests that wait at a channel", "2 1024"},
    {"dram_policy", Key::Kind::Choice, "fr-fcfs", "open rows first, or each bank in order of arrival", "fr-fcfs fcfs"},
    {"dram_tcl", Key::Kind::Integer, "10", "memory cycles from a column command to its data", "1 1000"},
    {"dram_trp", Key::Kind::Integer, "10", "memory cycles from precharge to activate", "0 1000"},
    {"dram_trc", Key::Kind::Integer, "35", "memory cycles between activates of a bank", "0 1000"},
    {"dram_tras", Key::Kind::Integer, "25", "memory cycles from activate to precharge", "0 1000"},
    {"dram_trcd", Key::Kind::Integer, "12", "memory cycles from activate to a column command", "0 1000"},
    {"dram_trrd", Key::Kind::Integer, "8", "memory cycles between activates of different banks", "0 1000"},
    {"dram_tccd", Key::Kind::Integer, "1", "memory cycles between column commands, at least", "1 1000"},
    {"dram_twl", Key::Kind::Integer, "0",
     "memory cycles from a write's column command to its data; 0: a write is timed as a read, the bus turns at once",
     "0 1000"},
    {"dram_twtr", Key::Kind::Integer, "0", "memory cycles from the column command of a write to that of a read",
     "0 1000"},
    {"dram_trefi", Key::Kind::Integer, "0", "memory cycles from one refresh to the next; 0: there is none",
     "0 1000000"},
    {"dram_trfc", Key::Kind::Integer, "0", "memory cycles of a refresh, in which a channel is given no command",
     "0 100000"},
    {"dram_refresh", Key::Kind::Choice, "together", "when channels are refreshed: all at once, or one behind the other",
     "together turn"},
};

MemoryParameters::WritePacket write_packet_named(std::string_view name) {
  if (name == "line") return MemoryParameters::WritePacket::Line;
  return name == "sectors" ? MemoryParameters::WritePacket::Sectors : MemoryParameters::WritePacket::Bytes;
}

void read_code_caches(MemoryParameters& p, const Config& config) {
  const auto value = [&](std::string_view key) { return static_cast<unsigned>(config.integer(key)); };
  p.code_bytes = value("icache_group_bytes");
  p.code_ways = value("icache_group_ways");
  p.code_line = value("icache_line");
  p.code_latency = value("icache_group_latency");
  p.code_far_latency = value("icache_group_far_latency");
  p.code_miss_latency = value("icache_group_miss_latency");
  p.code_clock = value("icache_group_clock");
  p.core_clock = value("core_clock");
  p.code_joins = value("icache_group_joins");
  p.code_launch_bytes = value("icache_group_launch");
  if (p.code_miss_latency < p.code_latency)
    throw Error(ExitCode::Usage, fmt::format("icache_group_miss_latency = {} is less than icache_group_latency = {}",
                                             p.code_miss_latency, p.code_latency));
}

void check_sectors(const MemoryParameters& p) {
  if (!p.l2_sectors) return;
  if (p.l2_line > 8 * sizeof(ByteMask))
    throw Error(ExitCode::Usage, fmt::format("l2_sector = {}: l2_line = {} must not be larger than {}", kSectorBytes,
                                             p.l2_line, 8 * sizeof(ByteMask)));
  if (p.dram_access > p.l2_line)
    throw Error(ExitCode::Usage,
                fmt::format("dram_access_bytes = {} is larger than a line (l2_line = {})", p.dram_access, p.l2_line));
}

}  // namespace

std::span<const Key> MemoryParameters::keys() { return kKeys; }

MemoryParameters MemoryParameters::from(const Config& config) {
  const auto value = [&](std::string_view key) { return static_cast<unsigned>(config.integer(key)); };
  const auto power = [&](std::string_view key) {
    if (!std::has_single_bit(value(key)))
      throw Error(ExitCode::Usage, fmt::format("{} = {}: must be a power of two", key, value(key)));
    return value(key);
  };
  MemoryParameters p{};
  p.channels = value("channels");
  p.channel_interleave = power("channel_interleave");
  p.channel_hash = config.boolean("channel_hash");
  p.channel_scatter = value("channel_scatter");
  p.network_latency = value("network_latency");
  p.network_bytes = value("network_bytes");
  p.network_reply_bytes = value("network_reply_bytes");
  p.l2_port_bytes = value("l2_port_bytes");
  p.network_takes = value("network_takes");
  p.l2_reply_bytes = value("l2_reply_bytes");
  p.packed = config.text("network_packets") == "bytes";
  p.network_queue = value("network_queue");
  p.network_concentration = value("network_concentration");
  p.read_group = value("read_group");
  p.code_groups = value("icache_groups");
  if (p.code_groups > 0) read_code_caches(p, config);
  p.packet_header = value("packet_header");
  p.reply_header = value("reply_header");
  p.write_packet = write_packet_named(config.text("write_packet"));
  p.write_mask = value("write_mask_bytes");
  p.l2_bytes = value("l2_bytes");
  p.l2_line = power("l2_line");
  p.l2_ways = value("l2_ways");
  p.l2_sectors = value("l2_sector") > 0;
  p.l2_hash = config.boolean("l2_hash");
  p.l2_partitions = value("l2_partitions");
  p.l2_far_latency = value("l2_far_latency");
  p.l2_far_miss_latency = value("l2_far_miss_latency");
  p.l2_far_cycles = value("l2_far_cycles");
  p.l2_latency = value("l2_latency");
  p.l2_miss_latency = value("l2_miss_latency");
  p.l2_miss_queue = value("l2_miss_queue");
  p.l2_pass_writes = config.text("l2_write_miss") == "pass";
  p.l2_mshrs = value("l2_mshrs");
  p.l2_merges = value("l2_merges");
  p.l2_queue = value("l2_queue");
  p.atomic_lanes = config.text("atomic_requests") == "lane";
  p.atomic_cycles = value("atomic_cycles");
  p.atomic_clock = value("atomic_clock");
  if (p.atomic_clock > 0) p.network_clock = value("network_clock");
  p.dram_banks = value("dram_banks");
  p.dram_row_bytes = power("dram_row_bytes");
  p.dram_bytes_per_cycle = value("dram_bytes_per_cycle");
  p.dram_access = value("dram_access_bytes");
  p.dram_queue = value("dram_queue");
  p.tcl = value("dram_tcl");
  p.trp = value("dram_trp");
  p.trc = value("dram_trc");
  p.tras = value("dram_tras");
  p.trcd = value("dram_trcd");
  p.trrd = value("dram_trrd");
  p.tccd = value("dram_tccd");
  p.twl = value("dram_twl");
  p.twtr = value("dram_twtr");
  p.trefi = value("dram_trefi");
  p.trfc = value("dram_trfc");
  p.refresh_in_turn = config.text("dram_refresh") == "turn";
  p.first_ready = config.text("dram_policy") == "fr-fcfs";
  if (p.channel_interleave < p.l2_line)
    throw Error(ExitCode::Usage, fmt::format("channel_interleave = {} is smaller than a line (l2_line = {})",
                                             p.channel_interleave, p.l2_line));
  if (p.dram_row_bytes < p.l2_line)
    throw Error(ExitCode::Usage,
                fmt::format("dram_row_bytes = {} is smaller than a line (l2_line = {})", p.dram_row_bytes, p.l2_line));
  if (p.twl > 0 && (p.twl >= p.trcd || p.twl > p.tcl))
    throw Error(ExitCode::Usage, fmt::format("dram_twl = {}: must be smaller than dram_trcd = {} and not larger than "
                                             "dram_tcl = {}",
                                             p.twl, p.trcd, p.tcl));
  if (p.trfc >= p.trefi && p.trefi > 0)
    throw Error(ExitCode::Usage, fmt::format("dram_trfc = {}: must be smaller than dram_trefi = {}", p.trfc, p.trefi));
  if (p.l2_partitions > p.channels)
    throw Error(ExitCode::Usage,
                fmt::format("l2_partitions = {}: more than the channels ({})", p.l2_partitions, p.channels));
  check_sectors(p);
  return p;
}

}  // namespace heddle

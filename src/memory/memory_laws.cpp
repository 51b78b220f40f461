// What a memory system has counted, the laws that hold for it, and what is under way in it.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "memory/memory_parts.h"

namespace heddle {

MemoryStats MemorySystem::stats() const {
  const Parts& parts = *parts_;
  MemoryStats stats;
  for (const Slice& slice : parts.slices) {
    stats.l2.add(slice.stats());
    stats.atomics += slice.atomics();
  }
  for (const DramChannel& channel : parts.channels) stats.dram.add(channel.stats());
  stats.network = {parts.requests.packets(), parts.replies.packets(), parts.requests.bytes(), parts.replies.bytes()};
  return stats;
}

void MemorySystem::check() const {
  const Parts& parts = *parts_;
  const MemoryParameters& p = parts.parameters;
  require(quiet(), "laws of conservation hold when nothing is under way");
  for (const Slice& slice : parts.slices) slice.check();
  const MemoryStats s = stats();
  uint64_t to_be_answered = 0, answered = parts.answered, joins = 0;
  for (const Parts::Inlet& inlet : parts.inlets) {
    to_be_answered += inlet.to_be_answered;
    answered += inlet.answered;
    joins += inlet.joins;
  }
  require(to_be_answered == answered, "a request was not answered, or twice");
  require(s.network.reply_packets + joins + parts.code.answered() == answered, "a reply was lost in the network");
  require(s.dram.row_hits + s.dram.row_misses + s.dram.row_conflicts == s.dram.reads + s.dram.writes,
          "rows found are not the requests of DRAM");
  require(s.dram.activates == s.dram.row_misses + s.dram.row_conflicts, "an activate served no request");
  require(s.dram.busy_cycles * p.dram_bytes_per_cycle >= s.dram.bytes, "DRAM moved more bytes than its bus can");
  if (p.l2_bytes == 0) return;
  require(s.l2.accesses() == s.network.request_packets, "a request did not reach the L2");
  require(s.dram.reads == s.l2.fills, "reads of DRAM are not the fills of the L2");
  uint64_t passed = 0;
  for (const Slice& slice : parts.slices) passed += slice.passed_writes();
  require(s.dram.writes == s.l2.writebacks + passed, "writes of DRAM are not what the L2 wrote back or passed on");
  uint64_t asked = 0;
  for (const Slice& slice : parts.slices) asked += slice.dram_bytes();
  require(s.dram.bytes == asked, "bytes of DRAM are not those the L2 asked for");
  if (!p.l2_sectors)
    require(s.dram.bytes == (s.dram.reads + s.dram.writes) * p.l2_line, "bytes of DRAM are not its lines");
}

// Not of replies that have left the network: cores that are ahead know of them.
void MemorySystem::explain(std::string& text) const {
  const Parts& parts = *parts_;
  const auto empty = [](const auto& part) { return part.empty(); };
  if (empty(parts.requests) && empty(parts.replies) && std::ranges::all_of(parts.slices, empty) &&
      std::ranges::all_of(parts.channels, empty)) {
    text += "memory: nothing under way\n";
    return;
  }
  text += fmt::format("network: {} requests wait, {} replies wait\n", parts.requests.queued(), parts.replies.queued());
  for (size_t i = 0; i < parts.slices.size(); ++i) {
    parts.slices[i].explain(text);
    if (!parts.channels[i].empty())
      text += fmt::format("channel {}: {} requests wait, {} reads finished or on the bus\n", i,
                          parts.channels[i].queued(), parts.channels[i].returns().size());
  }
}

}  // namespace heddle

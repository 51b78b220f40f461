#include "memory/memory_parts.h"

namespace heddle {

[[gnu::flatten]] void MemorySystem::Parts::tick_requests(NetworkCycle cycle, std::vector<uint16_t>& freed) {
  requests.tick(cycle, [&](const Request& request, const auto& way) {
    slices[way.output].arrive(request, way.arrival);
    note_slice(way.output);
    if (parameters.l2_far_cycles > 0) pass_on(request, way.output, way.arrival);
  });
  const unsigned shared = parameters.network_concentration;
  for (const unsigned port : requests.freed())
    for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core)
      freed.push_back(static_cast<uint16_t>(core));
}

// An atomic for another part has come through a slice of its core's own, which it kept busy.
void MemorySystem::Parts::pass_on(const Request& request, unsigned channel, NetworkCycle arrival) {
  if (request.kind != Request::Kind::Atomic || !is_far(request.core, channel)) return;
  const unsigned apart = parameters.channels / parameters.l2_partitions;
  slices[(channel + apart) % parameters.channels].pass(parameters.l2_far_cycles * count_of(request.sectors), arrival);
}

void MemorySystem::Parts::tick_dram() {
  const NetworkCycle network_edge = network.at_or_after(now);
  for_each_due(channel_next, memory.cycle(), [&](size_t i) {
    if (channels[i].tick(memory.cycle())) slices[i].dram_moved(network_edge);
    note(i);
  });
  first_channel = channel_next.least();
}

void MemorySystem::Parts::tick_slices() {
  for_each_due(slice_next, network.cycle(), [&](size_t i) {
    slices[i].tick(network.cycle(), memory.cycle() + 1);
    note(i);
  });
  first_slice = slice_next.least();
}

[[gnu::flatten]] void MemorySystem::Parts::tick_replies(NetworkCycle cycle) {
  const unsigned far_miss = parameters.far_miss(), far_hit = parameters.l2_far_latency;
  replies.tick(cycle, [&](const Reply& reply, const auto& way) {
    const unsigned longer = reply.fetched ? far_miss : far_hit;
    const bool far = longer > 0 && is_far(reply.core, way.input);
    const NetworkCycle arrival = way.arrival + (far ? longer : 0);
    if (tells_at_once())
      tell(reply, clocks.network.time(arrival));
    else
      arrivals.put(reply, arrival);
  });
  for (const uint16_t slice : replies.freed()) {
    if (ahead) {
      note_answers(slice);
      continue;
    }
    slices[slice].network_moved(cycle);
    note(slice);
  }
}

}  // namespace heddle

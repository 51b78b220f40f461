#include "memory/memory_parts.h"

namespace heddle {

void MemorySystem::Parts::tick_requests(NetworkCycle cycle, std::vector<uint16_t>& freed) {
  for (const auto& delivery : requests.tick(cycle)) {
    slices[delivery.output].arrive(delivery.payload, delivery.arrival);
    note_slice(delivery.output);
    if (parameters.l2_far_cycles > 0) pass_on(delivery.payload, delivery.output, delivery.arrival);
  }
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

void MemorySystem::Parts::tick_replies(NetworkCycle cycle) {
  const unsigned far_miss = parameters.far_miss(), far_hit = parameters.l2_far_latency;
  for (const auto& delivery : replies.tick(cycle)) {
    const unsigned longer = delivery.payload.fetched ? far_miss : far_hit;
    const bool far = longer > 0 && is_far(delivery.payload.core, delivery.input);
    arrivals.put(delivery.payload, delivery.arrival + (far ? longer : 0));
  }
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

#include "memory/memory_parts.h"

#include <bit>

namespace heddle {

void MemorySystem::Parts::tick_requests(NetworkCycle cycle, std::vector<uint16_t>& freed) {
  for (const auto& delivery : requests.tick(cycle)) {
    slices[delivery.output].arrive(delivery.payload, delivery.arrival);
    note(delivery.output);
  }
  const unsigned shared = parameters.network_concentration;
  for (const unsigned port : requests.freed())
    for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core)
      freed.push_back(static_cast<uint16_t>(core));
}

void MemorySystem::Parts::tick_dram() {
  if (!due(first_channel, memory.cycle())) return;
  const NetworkCycle network_edge = network.at_or_after(now);
  for (uint64_t left = due(channel_next, memory.cycle()); left != 0; left &= left - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(left));
    if (channels[i].tick(memory.cycle())) slices[i].dram_moved(network_edge);
    note(i);
  }
  first_channel = channel_next.least();
}

void MemorySystem::Parts::tick_slices() {
  if (!due(first_slice, network.cycle())) return;
  for (uint64_t left = due(slice_next, network.cycle()); left != 0; left &= left - 1) {
    const auto i = static_cast<size_t>(std::countr_zero(left));
    slices[i].tick(network.cycle(), memory.cycle() + 1);
    note(i);
  }
  first_slice = slice_next.least();
}

void MemorySystem::Parts::tick_replies(NetworkCycle cycle) {
  if (!due(replies.next(), cycle)) return;
  for (const auto& delivery : replies.tick(cycle)) {
    const unsigned longer = delivery.payload.fetched ? parameters.far_miss() : parameters.l2_far_latency;
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

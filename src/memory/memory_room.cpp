// What cores that are ahead of the memory system know of room at its ports.
#include <algorithm>

#include "memory/memory_parts.h"

namespace heddle {

bool MemorySystem::certain(unsigned core, size_t requests) const {
  const Parts::Inlet& inlet = parts_->inlets[core];
  const Parts::Certain& certain = parts_->certain[parts_->port_of(core)];
  if (parts_->shares_ports()) return certain.vouched;
  if (certain.free >= inlet.sent + requests) return true;
  return certain.always && inlet.waiting.empty() && parts_->coalescer.groups() == 0;  // what joins takes no room
}

// Of a core's own port.
size_t MemorySystem::certain_places(unsigned core) const {
  const Parts::Inlet& inlet = parts_->inlets[core];
  const size_t free = parts_->certain[parts_->port_of(core)].free;
  return free - std::min(free, inlet.sent);
}

size_t MemorySystem::certain_for_each() const {
  size_t least = parts_->unvouched > 0 ? 0 : parts_->parameters.network_queue;
  for (const unsigned port : parts_->used_ports) least = std::min(least, parts_->certain[port].free);
  return least;
}

size_t MemorySystem::free_places(unsigned port) const { return parts_->certain[port].free; }

void MemorySystem::vouch(unsigned port, bool sure) {
  bool& vouched = parts_->certain[port].vouched;
  if (vouched != sure) parts_->unvouched += sure ? -1 : 1;
  vouched = sure;
}

// What stays as it was is not written again: other threads read it.
void MemorySystem::Parts::find_room() {
  const unsigned shared = parameters.network_concentration;
  for (const unsigned port : used_ports) port_room[port] = requests.room(port);
  used_ports.erase_if([&](unsigned port) {
    size_t sent = 0;
    for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core) {
      Inlet& inlet = inlets[core];
      if (inlet.sent != 0) inlet.sent = 0;
      sent += inlet.waiting.size();
    }
    const size_t free = port_room[port] - std::min(port_room[port], sent);
    const bool all = sent == 0 && port_room[port] == parameters.network_queue;
    if (certain[port].free != free) certain[port].free = free;
    if (certain[port].always != all) certain[port].always = all;
    return all;
  });
}

// Where all was handed over and caught up with, and its cores go together, or one after the other for one cycle.
bool MemorySystem::Parts::has_room(unsigned port) const {
  const unsigned shared = parameters.network_concentration;
  size_t sent = 0;
  for (unsigned core = port * shared; core < std::min((port + 1) * shared, cores); ++core)
    sent += inlets[core].waiting.size();
  return port_room[port] > sent;
}

}  // namespace heddle

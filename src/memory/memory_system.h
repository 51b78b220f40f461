// Everything below the cores: the network, a slice of the L2 and a DRAM channel per memory channel.
//
// Life cycle: one per GPU, it outlives launches (the L2 stays warm). The machine calls, at every time at which some
// part has something to do (next(), or a core's own),
//   before_cores(now)   DRAM channels, then L2 slices, then the reply network; replies() are what reached the cores now
//   the cores           which send() requests where room() says so
//   after_cores(now)    the request network; freed() are the cores whose queue has got room
// Each part ticks on edges of its own clock and sleeps until it has something to do: ticking it more often (`skip`
// false: at every edge) changes nothing.
//
// before_cores() is work() and arrive(). Where the network takes_time() nothing of work() concerns the cores at that
// time: arrive() may come before it, and it may go on beside the cores, on another thread. So may the cores beside each
// other while what they send is collected, but for those that sit together(); deliver() then takes what each has sent,
// in the order of the cores.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "memory/clock.h"
#include "memory/memory_parameters.h"
#include "memory/request.h"
#include "stats/memory_stats.h"

namespace heddle {

class MemorySystem {
 public:
  MemorySystem(const MemoryParameters& parameters, const Clocks& clocks, unsigned cores, bool skip = true);
  ~MemorySystem();

  bool room(unsigned core) const;
  void send(const Request& request, Tick now);  // there must be room

  void hold(Address address, uint64_t bytes);  // these lines are in the L2 from now on, and take no time

  void before_cores(Tick now);
  void work(Tick now);
  void arrive(Tick now);
  void after_cores(Tick now);
  std::span<const Reply> replies() const { return replies_; }
  std::span<const uint16_t> freed() const { return freed_; }

  bool takes_time() const;
  unsigned together() const;  // so many neighbours
  void collect(bool on);
  void deliver(unsigned core, Tick now);

  Tick next() const;   // the next time some part has something to do; kNever: all is quiet
  bool quiet() const;  // nothing under way; dirty lines may lie in the L2
  MemoryStats stats() const;
  void check() const;                // laws of conservation; only when quiet
  void explain(std::string&) const;  // what is under way, for a person

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::vector<Reply> replies_;
  std::vector<uint16_t> freed_;
};

}  // namespace heddle

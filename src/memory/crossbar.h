// One direction of the network: every input has a queue, every output takes from every input.
//
// Each input has a queue of packets and shows its oldest one only (head-of-line blocking). An output that is free, and
// whose receiver has a place for another packet, takes one among the inputs that show it one: the first from the input
// behind the one it took last, in order of their numbers and round again. A packet of b bytes then holds its input and
// its output for flits = ceil(b / bytes_per_cycle) cycles (one at least), and arrives latency + flits cycles after the
// grant; where the outputs have another width (output_bytes), each side by its own, and it arrives with the slower one.
// With several takes an input shows as many of its packets and gives, and an output takes, as many in a cycle as fit
// into its bytes. With bytes_per_cycle = 0 it holds them for no time, and all that is queued passes in one cycle: the
// outputs take one packet each in order of their numbers, and that is repeated until nothing moves.
//
// The place of a packet in the queue of its input is free from the grant on. A receiver's place is taken from the grant
// on, until it is given back with return_credit().
//
// Life cycle: push() where room() says so; tick() at an edge hands over the packets granted there with the cycle of
// their arrival, which the receiver keeps until then (those for one output arrive in order). Between edges nothing
// happens, and before next() ticks do nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "memory/clock.h"
#include "memory/request.h"
#include "memory/ring.h"

namespace heddle {

struct CrossbarShape {
  unsigned inputs, outputs;
  unsigned queue;             // packets that wait at an input
  unsigned latency;           // cycles
  unsigned bytes_per_cycle;   // 0: any number
  unsigned credits = 0;       // places at a receiver; 0: it always takes
  unsigned output_bytes = 0;  // per cycle; 0: as bytes_per_cycle
  bool packed = false;        // a packet takes its bytes of a port, not whole cycles, where one follows the other
  unsigned output_takes = 1;  // packed: packets that an output takes in a cycle, if their bytes are less than its width
};

template <class Payload>
class Crossbar {
 public:
  struct Way {
    unsigned input, output;
    NetworkCycle arrival;
  };

  explicit Crossbar(const CrossbarShape& shape);

  size_t room(unsigned input) const { return inputs_[input].queue.room(); }  // for so many packets
  bool empty(unsigned input) const { return inputs_[input].queue.empty(); }
  // `edge` is the next cycle that will be ticked, or could be.
  void push(unsigned input, unsigned output, unsigned bytes, const Payload& payload, NetworkCycle edge);
  // The same, of one that comes with that cycle or later; those of an input in order. They are placed, for several
  // inputs side by side if need be, and count when it is said that they are.
  void place(unsigned input, unsigned output, unsigned bytes, const Payload& payload, NetworkCycle edge);
  void note_placed(unsigned input);
  void return_credit(unsigned output, NetworkCycle edge);
  // The receivers may be ahead: what they give back is kept until tick() has come to that cycle.
  void keep_credits(bool on) { keeps_credits_ = on; }
  // It is given back now where nobody can need it before `edge`, of who ticks from `now` on: else false. Those of an
  // output in the order of their edges.
  bool return_early(unsigned output, NetworkCycle edge, NetworkCycle now);
  void take_credits(NetworkCycle upto);
  bool never_starves(uint64_t cycles) const;  // for so many, whatever is given back
  NetworkCycle next_credit() const { return credits_.empty() ? NetworkCycle(kNever) : credits_.front().edge; }

  template <class F>
  void tick(NetworkCycle now, F&& deliver);                   // calls deliver(payload, way)
  std::span<const uint16_t> freed() const { return freed_; }  // inputs that were full before the last tick
  NetworkCycle next() const { return next_; }

  bool empty() const { return queued_ == 0; }
  uint64_t queued() const { return queued_; }
  uint64_t packets() const { return packets_; }
  uint64_t bytes() const { return bytes_; }

 private:
  struct Packet {
    uint16_t output;
    uint16_t flits, output_flits;  // cycles that it holds either side
    uint16_t bytes;
    NetworkCycle edge;  // it comes with that
    Payload payload;
  };
  struct Port {
    NetworkCycle free{0};  // its last packet has left
    unsigned left = 0;     // packed: bytes of that, in the cycle behind
    unsigned taken = 0;    // packed: packets that have come in that cycle
  };
  struct Input : Port {
    explicit Input(unsigned places) : queue(places) {}
    Ring<Packet> queue;
    NetworkCycle shows{0};                // of who waits: its first packet, from then on
    uint64_t bit = 0;                     // in sets of inputs
    size_t placed = 0, placed_bytes = 0;  // that do not count yet
  };
  struct Output : Port {
    explicit Output(unsigned places) : credits(places) {}
    unsigned credits;
    unsigned wanting = 0;       // inputs that show it a packet
    unsigned first = 0;         // the input that is asked first
    uint64_t* wants = nullptr;  // these inputs
    uint64_t bit = 0;           // of the outputs that are wanted,
    uint64_t* word = nullptr;   // in this
  };

  bool can_take(const Output& output) const { return output.credits > 0 || !limited_; }
  void give_back(unsigned output, NetworkCycle edge);
  void append(Input& from, unsigned output, unsigned bytes, const Payload& payload, NetworkCycle edge);
  void count(size_t packets, size_t bytes);
  void show(Input& from, unsigned input);
  void wait(Input& from, unsigned input, NetworkCycle until);
  void show_those_that_waited(NetworkCycle now);
  template <class F>
  bool grant_all(NetworkCycle now, F& deliver);
  template <class F>
  void grant(Output& to, unsigned output, NetworkCycle now, F& deliver);
  unsigned choose(const Output& output) const;
  void let_follow(Input& from, unsigned input, NetworkCycle now);
  void wake(NetworkCycle edge) { next_ = edge < next_ ? edge : next_; }

  unsigned flits_of(unsigned bytes, unsigned width) const;

  void hold(Port& port, unsigned bytes, unsigned width, unsigned flits, unsigned takes, NetworkCycle now) const;

  unsigned latency_, bytes_per_cycle_, output_bytes_, output_takes_;
  bool limited_, packed_;
  unsigned input_count_;
  size_t words_;  // of a set of inputs
  NetworkCycle next_ = kNever;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<uint64_t> wants_;    // of all outputs
  std::vector<uint64_t> wanted_;   // the outputs some input shows a packet
  std::vector<uint16_t> waiting_;  // inputs that have a packet, and do not show it yet
  struct Credit {
    unsigned output;
    NetworkCycle edge;
  };
  bool keeps_credits_ = false;
  std::deque<Credit> credits_;
  std::vector<uint16_t> freed_;
  uint64_t queued_ = 0, packets_ = 0, bytes_ = 0;
};

}  // namespace heddle

// How packets come into a crossbar and pass through it.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "memory/crossbar.h"

namespace heddle {

template <class Payload>
inline unsigned Crossbar<Payload>::flits_of(unsigned bytes, unsigned width) const {
  return width == 0 ? 0 : std::max(1u, (bytes + width - 1) / width);
}

template <class Payload>
inline void Crossbar<Payload>::append(Input& from, unsigned output, unsigned bytes, const Payload& payload,
                                      NetworkCycle edge) {
  const unsigned flits = flits_of(bytes, bytes_per_cycle_);
  const unsigned output_flits = output_bytes_ == bytes_per_cycle_ ? flits : flits_of(bytes, output_bytes_);
  Packet& packet = from.queue.append();  // written in its place: packets are large
  packet.payload = payload;
  packet.edge = edge;
  packet.output = static_cast<uint16_t>(output);
  packet.flits = static_cast<uint16_t>(flits);
  packet.output_flits = static_cast<uint16_t>(output_flits);
  packet.bytes = static_cast<uint16_t>(bytes);
}

template <class Payload>
inline void Crossbar<Payload>::count(size_t packets, size_t bytes) {
  queued_ += packets;
  packets_ += packets;
  bytes_ += bytes;
}

template <class Payload>
inline void Crossbar<Payload>::push(unsigned input, unsigned output, unsigned bytes, const Payload& payload,
                                    NetworkCycle edge) {
  Input& from = inputs_[input];
  const bool first = from.queue.empty();
  append(from, output, bytes, payload, edge);
  count(1, bytes);
  if (!first) return;
  if (from.free > edge) return wait(from, input, from.free);
  show(from, input);
  const Output& to = outputs_[output];
  if (can_take(to)) wake(std::max(edge, to.free));
}

template <class Payload>
inline void Crossbar<Payload>::place(unsigned input, unsigned output, unsigned bytes, const Payload& payload,
                                     NetworkCycle edge) {
  Input& from = inputs_[input];
  append(from, output, bytes, payload, edge);
  ++from.placed;
  from.placed_bytes += bytes;
}

template <class Payload>
inline void Crossbar<Payload>::note_placed(unsigned input) {
  Input& from = inputs_[input];
  if (from.placed == 0) return;
  if (from.placed == from.queue.size()) wait(from, input, std::max(from.queue.front().edge, from.free));
  count(std::exchange(from.placed, 0), std::exchange(from.placed_bytes, 0));
}

template <class Payload>
inline void Crossbar<Payload>::wait(Input& from, unsigned input, NetworkCycle until) {
  from.shows = until;
  waiting_.push_back(static_cast<uint16_t>(input));
  wake(until);
}

template <class Payload>
template <class F>
void Crossbar<Payload>::tick(NetworkCycle now, F&& deliver) {
  next_ = kNever;
  freed_.clear();
  if (queued_ == 0) return;
  if (!waiting_.empty()) show_those_that_waited(now);
  while (grant_all(now, deliver) && bytes_per_cycle_ == 0) {
    next_ = kNever;
    for (const uint16_t input : waiting_) wake(inputs_[input].shows);
  }
}

// One packet per output. Leaves in next_ when an output could take another.
template <class Payload>
template <class F>
bool Crossbar<Payload>::grant_all(NetworkCycle now, F& deliver) {
  bool moved = false;
  for (size_t word = 0; word < wanted_.size(); ++word)
    for (uint64_t left = wanted_[word], passed = 0; left != 0; left = wanted_[word] & ~passed) {
      passed = left ^ (left - 1);  // this output and those below it
      const unsigned output = static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(left));
      Output& to = outputs_[output];
      for (unsigned left_to_take = output_takes_; to.free <= now && can_take(to);) {
        grant(to, output, now, deliver);
        moved = true;
        if (to.wanting == 0 || --left_to_take == 0) break;
      }
      if (to.wanting > 0 && can_take(to)) wake(std::max(to.free, now + 1));
    }
  return moved;
}

template <class Payload>
template <class F>
inline void Crossbar<Payload>::grant(Output& to, unsigned output, NetworkCycle now, F& deliver) {
  const unsigned input = choose(to);
  Input& from = inputs_[input];
  const Packet& packet = from.queue.front();
  deliver(packet.payload, Way{input, output, now + latency_ + std::max(packet.flits, packet.output_flits)});
  hold(from, packet.bytes, bytes_per_cycle_, packet.flits, 1, now);
  hold(to, packet.bytes, output_bytes_, packet.output_flits, output_takes_, now);
  to.first = input + 1 == input_count_ ? 0 : input + 1;
  if (limited_) --to.credits;
  if (from.queue.full()) freed_.push_back(static_cast<uint16_t>(input));
  to.wants[input / 64] &= ~from.bit;
  if (--to.wanting == 0) *to.word &= ~to.bit;
  from.queue.pop();
  --queued_;
  if (!from.queue.empty()) let_follow(from, input, now);
}

template <class Payload>
inline unsigned Crossbar<Payload>::choose(const Output& output) const {
  size_t word = output.first / 64;
  uint64_t left = output.wants[word] & (~uint64_t{0} << output.first % 64);
  while (left == 0) {
    word = word + 1 == words_ ? 0 : word + 1;
    left = output.wants[word];
  }
  return static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(left));
}

// The packet behind the one that it sends.
template <class Payload>
inline void Crossbar<Payload>::let_follow(Input& from, unsigned input, NetworkCycle now) {
  const NetworkCycle shows = std::max(from.free, from.queue.front().edge);
  if (shows <= now)
    show(from, input);
  else
    wait(from, input, shows);
}

// A port is taken for as long as a packet needs. Packed, what does not fill a cycle is left to the packet that follows,
// in the same cycle if the port takes several.
template <class Payload>
inline void Crossbar<Payload>::hold(Port& port, unsigned bytes, unsigned width, unsigned flits, unsigned takes,
                                    NetworkCycle now) const {
  if (packed_) {
    if (port.free != now) port.left = port.taken = 0;
    const unsigned all = bytes + port.left;
    ++port.taken;
    flits = port.taken < takes ? all / width : std::max(1u, all / width);
    port.left = all - std::min(all, flits * width);
    if (flits > 0) port.taken = 0;
  }
  port.free = now + flits;
}

template <class Payload>
inline void Crossbar<Payload>::show(Input& from, unsigned input) {
  Output& to = outputs_[from.queue.front().output];
  from.queue.prefetch(2);
  to.wants[input / 64] |= from.bit;
  if (to.wanting++ == 0) *to.word |= to.bit;
}

template <class Payload>
inline void Crossbar<Payload>::show_those_that_waited(NetworkCycle now) {
  for (size_t i = 0; i < waiting_.size();) {
    const uint16_t input = waiting_[i];
    Input& from = inputs_[input];
    if (from.shows > now) {
      wake(from.shows);
      ++i;
      continue;
    }
    waiting_[i] = waiting_.back();
    waiting_.pop_back();
    show(from, input);
  }
}

}  // namespace heddle

#include "memory/crossbar.h"

#include <algorithm>
#include <bit>

namespace heddle {
namespace {

size_t words_for(unsigned count) { return (count + 63) / 64; }

}  // namespace

template <class Payload>
Crossbar<Payload>::Crossbar(const CrossbarShape& shape)
    : latency_(shape.latency),
      bytes_per_cycle_(shape.bytes_per_cycle),
      output_bytes_(shape.output_bytes == 0 ? shape.bytes_per_cycle : shape.output_bytes),
      output_takes_(shape.packed ? shape.output_takes : 1),
      limited_(shape.credits > 0),
      packed_(shape.packed && shape.bytes_per_cycle > 0),
      input_count_(shape.inputs),
      words_(words_for(shape.inputs)),
      inputs_(shape.inputs, Input(shape.queue)),
      outputs_(shape.outputs, Output(shape.credits)),
      wants_(words_ * shape.outputs),
      wanted_(words_for(shape.outputs)) {
  sending_.reserve(shape.inputs);
  granted_.resize(shape.outputs);
  freed_.reserve(shape.inputs);
}

template <class Payload>
unsigned Crossbar<Payload>::flits_of(unsigned bytes, unsigned width) const {
  return width == 0 ? 0 : std::max(1u, (bytes + width - 1) / width);
}

template <class Payload>
void Crossbar<Payload>::push(unsigned input, unsigned output, unsigned bytes, const Payload& payload,
                             NetworkCycle edge) {
  Input& from = inputs_[input];
  const unsigned flits = flits_of(bytes, bytes_per_cycle_);
  const unsigned output_flits = output_bytes_ == bytes_per_cycle_ ? flits : flits_of(bytes, output_bytes_);
  const bool first = from.queue.empty();
  Packet& packet = from.queue.append();  // written in its place: packets are large
  packet.payload = payload;
  packet.output = static_cast<uint16_t>(output);
  packet.flits = static_cast<uint16_t>(flits);
  packet.output_flits = static_cast<uint16_t>(output_flits);
  packet.bytes = static_cast<uint16_t>(bytes);
  ++queued_;
  ++packets_;
  bytes_ += bytes;
  if (!first) return;
  if (from.free > edge) {
    sending_.push_back(static_cast<uint16_t>(input));
    wake(from.free);
    return;
  }
  show(input);
  const Output& to = outputs_[output];
  if (can_take(to)) wake(std::max(edge, to.free));
}

template <class Payload>
void Crossbar<Payload>::return_credit(unsigned output, NetworkCycle edge) {
  if (keeps_credits_) return credits_.push_back({output, edge});
  give_back(output, edge);
}

// Until then it takes no more packets than it has places for, which are all free by then that were given back so.
template <class Payload>
bool Crossbar<Payload>::return_early(unsigned output, NetworkCycle edge, NetworkCycle now) {
  Output& to = outputs_[output];
  if (bytes_per_cycle_ == 0 || to.credits == 0 || to.credits < (edge - now) * output_takes_) return false;
  ++to.credits;
  return true;
}

template <class Payload>
void Crossbar<Payload>::take_credits(NetworkCycle upto) {
  for (; !credits_.empty() && credits_.front().edge <= upto; credits_.pop_front())
    give_back(credits_.front().output, credits_.front().edge);
}

// An output takes so many packets in a cycle at most, where there is a width.
template <class Payload>
bool Crossbar<Payload>::never_starves(uint64_t cycles, size_t coming) const {
  const uint64_t most = bytes_per_cycle_ == 0 ? queued_ + coming : std::min(cycles * output_takes_, queued_ + coming);
  return !limited_ || std::ranges::all_of(outputs_, [&](const Output& to) { return to.credits >= most; });
}

template <class Payload>
void Crossbar<Payload>::give_back(unsigned output, NetworkCycle edge) {
  Output& to = outputs_[output];
  if (to.credits++ == 0 && to.wanting > 0) wake(std::max(edge, to.free));
}

template <class Payload>
[[gnu::flatten]] auto Crossbar<Payload>::tick(NetworkCycle now) -> std::span<const Delivery> {
  deliveries_ = 0;
  freed_.clear();
  if (queued_ == 0) {
    next_ = kNever;
    return {};
  }
  show_inputs_that_are_free(now);
  while (grant_all(now) && bytes_per_cycle_ == 0) {
  }
  for (const uint16_t input : sending_) wake(inputs_[input].free);
  return {granted_.data(), deliveries_};
}

template <class Payload>
void Crossbar<Payload>::show(unsigned input) {
  const Ring<Packet>& queue = inputs_[input].queue;
  const unsigned output = queue.front().output;
  queue.prefetch(2);
  wants_[output * words_ + input / 64] |= uint64_t{1} << input % 64;
  if (outputs_[output].wanting++ == 0) wanted_[output / 64] |= uint64_t{1} << output % 64;
}

template <class Payload>
void Crossbar<Payload>::show_inputs_that_are_free(NetworkCycle now) {
  for (size_t i = 0; i < sending_.size();) {
    const uint16_t input = sending_[i];
    if (inputs_[input].free > now) {
      ++i;
      continue;
    }
    sending_[i] = sending_.back();
    sending_.pop_back();
    show(input);
  }
}

// One packet per output. Leaves in next_ when an output could take another.
template <class Payload>
bool Crossbar<Payload>::grant_all(NetworkCycle now) {
  bool moved = false;
  next_ = kNever;
  for (size_t word = 0; word < wanted_.size(); ++word)
    for (uint64_t left = wanted_[word], passed = 0; left != 0; left = wanted_[word] & ~passed) {
      passed = left ^ (left - 1);  // this output and those below it
      const unsigned output = static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(left));
      const Output& to = outputs_[output];
      for (unsigned left_to_take = output_takes_; to.free <= now && can_take(to);) {
        grant(output, now);
        moved = true;
        if (to.wanting == 0 || --left_to_take == 0) break;
      }
      if (to.wanting > 0 && can_take(to)) wake(std::max(to.free, now + 1));
    }
  return moved;
}

template <class Payload>
void Crossbar<Payload>::grant(unsigned output, NetworkCycle now) {
  Output& to = outputs_[output];
  uint64_t* const wants = &wants_[output * words_];
  const unsigned input = choose(wants, to.first);
  Input& from = inputs_[input];
  const Packet& packet = from.queue.front();
  if (deliveries_ == granted_.size()) [[unlikely]]
    granted_.resize(2 * deliveries_);
  Delivery& delivery = granted_[deliveries_++];
  delivery.payload = packet.payload;
  delivery.input = static_cast<uint16_t>(input);
  delivery.output = packet.output;
  delivery.arrival = now + latency_ + std::max(packet.flits, packet.output_flits);
  hold(from, packet.bytes, bytes_per_cycle_, packet.flits, 1, now);
  hold(to, packet.bytes, output_bytes_, packet.output_flits, output_takes_, now);
  to.first = input + 1 == input_count_ ? 0 : input + 1;
  if (limited_) --to.credits;
  if (from.queue.full()) freed_.push_back(static_cast<uint16_t>(input));
  wants[input / 64] &= ~(uint64_t{1} << input % 64);
  if (--to.wanting == 0) wanted_[output / 64] &= ~(uint64_t{1} << output % 64);
  from.queue.pop();
  --queued_;
  if (from.queue.empty()) return;
  if (from.free <= now)
    show(input);
  else
    sending_.push_back(static_cast<uint16_t>(input));
}

// A port is taken for as long as a packet needs. Packed, what does not fill a cycle is left to the packet that follows,
// in the same cycle if the port takes several.
template <class Payload>
void Crossbar<Payload>::hold(Port& port, unsigned bytes, unsigned width, unsigned flits, unsigned takes,
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
unsigned Crossbar<Payload>::choose(const uint64_t* wants, unsigned first) const {
  size_t word = first / 64;
  uint64_t left = wants[word] & (~uint64_t{0} << first % 64);
  while (left == 0) {
    word = word + 1 == words_ ? 0 : word + 1;
    left = wants[word];
  }
  return static_cast<unsigned>(word * 64) + static_cast<unsigned>(std::countr_zero(left));
}

template class Crossbar<Request>;
template class Crossbar<Reply>;

}  // namespace heddle

#include "memory/crossbar.h"

#include <algorithm>

#include "memory/crossbar_ways.h"

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
  for (unsigned i = 0; i < shape.inputs; ++i) inputs_[i].bit = uint64_t{1} << i % 64;
  for (unsigned i = 0; i < shape.outputs; ++i) {
    outputs_[i].wants = &wants_[words_ * i];
    outputs_[i].bit = uint64_t{1} << i % 64;
    outputs_[i].word = &wanted_[i / 64];
  }
  waiting_.reserve(shape.inputs);
  freed_.reserve(shape.inputs);
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
bool Crossbar<Payload>::never_starves(uint64_t cycles) const {
  const uint64_t most = bytes_per_cycle_ == 0 ? queued_ : std::min(cycles * output_takes_, queued_);
  return !limited_ || std::ranges::all_of(outputs_, [&](const Output& to) { return to.credits >= most; });
}

template <class Payload>
void Crossbar<Payload>::give_back(unsigned output, NetworkCycle edge) {
  Output& to = outputs_[output];
  if (to.credits++ == 0 && to.wanting > 0) wake(std::max(edge, to.free));
}

template class Crossbar<Request>;
template class Crossbar<Reply>;

}  // namespace heddle

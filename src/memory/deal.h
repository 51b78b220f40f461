// Numbers dealt out over places, one after the other and round again: lines over the sets of a cache, stripes over
// channels. With `hash` every round starts at another place, so that a stride that always meets the same place
// is spread over all of them, whatever their number.
#pragma once

#include <bit>
#include <cstdint>

namespace heddle {

class Deal {
 public:
  struct Dealt {
    unsigned place;
    uint64_t round;
  };
  Deal(unsigned places, bool hash)
      : places_(places),
        shift_(std::has_single_bit(places) ? static_cast<unsigned>(std::countr_zero(places)) : kNoShift),
        hash_(hash) {}

  Dealt operator()(uint64_t number) const {
    const uint64_t round = shift_ != kNoShift ? number >> shift_ : number / places_;
    const auto place = static_cast<unsigned>(number - round * places_);
    if (!hash_) return {place, round};
    const unsigned turned = place + start_of(round);
    return {turned < places_ ? turned : turned - places_, round};
  }

 private:
  unsigned start_of(uint64_t round) const {
    uint64_t mixed = (round ^ round >> 29) * 0x9E37'79B9'7F4A'7C15u;
    mixed ^= mixed >> 32;
    return static_cast<unsigned>((mixed * 0xD1B5'4A32'D192'ED03u >> 32) * places_ >> 32);
  }

  static constexpr unsigned kNoShift = 64;

  unsigned places_, shift_;  // shift_: places that are a power of two need no division
  bool hash_;
};

}  // namespace heddle

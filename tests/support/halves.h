// halves: a mechanism for tests that uses all a machine offers to splits. The lower and the upper half of the lanes of
// every static warp are two splits of it, each with a reconvergence stack of its own; they are issued alternately, or
// together, and never meet.
//
// Keys, by their names: halves_width (warps of an issue cycle), halves_returns (lanes whose load came early go on by
// themselves, if their split has not diverged), halves_wishes (it has wishes, and they are the same for all). What it
// hears of is written down in Halves::heard.
#pragma once

#include <string>
#include <vector>

#include "divergence/registry.h"
#include "divergence/support/reconvergence_stack.h"

namespace heddle::test {

struct LanesBack {
  WarpId warp;
  LaneMask lanes;
  CoreCycle at;
  bool hit;
  bool operator==(const LanesBack&) const = default;
};
struct HeardByHalves {
  std::vector<LanesBack> returns;
  std::vector<std::pair<WarpId, Pc>> stalls;
  unsigned starved = 0;
};

class Halves : public Mechanism {
 public:
  static constexpr Key kKeys[] = {
      {"halves_width", Key::Kind::Integer, "1", "tests: warps of an issue cycle", "1 2"},
      {"halves_returns", Key::Kind::Boolean, "false", "tests: lanes whose load came early go on by themselves", ""},
      {"halves_wishes", Key::Kind::Boolean, "false", "tests: wishes, the same for all", ""},
  };
  inline static HeardByHalves heard;  // by the machines of this test

  Halves(Host& host, const Config& config)
      : Mechanism(host),
        width_(static_cast<unsigned>(config.integer("halves_width"))),
        subdivides_(config.boolean("halves_returns")),
        wishes_(config.boolean("halves_wishes")) {}
  static void add();  // to the registry, once

  Traits traits() const override {
    return {.wishes = wishes_, .splits = true, .hears_returns = true, .hears_stalls = true, .issue_width = width_};
  }
  void block_start(BlockId block) override;
  void resolve(WarpId warp, std::span<const Outcome> outcomes) override;
  void arrive(WarpId warp) override;
  WarpId companion(WarpId warp, const WarpSet& ready) override;
  void returned(WarpId warp, LaneMask lanes, bool hit) override;
  void stalled(WarpId warp) override { heard.stalls.emplace_back(warp, host_.warp(warp).pc); }
  bool starved() override {
    ++heard.starved;
    return false;
  }
  State state(BlockId) const override { return {}; }
  StateCost cost() const override { return {1, 0, false}; }

 private:
  using Stack = ReconvergenceStack<LaneMask>;
  Stack& stack(WarpId id);
  void settle(WarpId id);

  const unsigned width_;
  const bool subdivides_, wishes_;
  std::vector<Stack> stacks_;  // by warp
};

}  // namespace heddle::test

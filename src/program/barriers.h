// Convergence barriers: where a compiler for hardware since Volta lets the threads of a warp wait for each other. PTX
// does not say; NVIDIA's assembler decides. What it does was found out with probes on an H200 (tests/data/its).
//
// A barrier is set in front of a branch or a loop by the threads that are there (BSSY), left by those that will not
// come (BREAK), and complete when all that are still in it have come to its join (BSYNC). Joins:
//   - of a branch, the nearest post-dominator that is no part of a loop with several entries and is not only reached by
//     another trip of the loop around the branch. It needs that all blocks between belong to the branch; else the
//     barrier of an outer branch serves
//   - of a loop with one entry, the way out that most take. Who leaves by another breaks
//   - an extra one before the post-dominator: of the blocks that several ways lead to, and from which no other such is
//     reached, the first that begins the longest way; inside that region every branch its own. What crosses a region
//     that has one has none
// Loops have one latch and, unless the block behind directly follows, an exit of their own (flow_shape.h); these are
// nodes without a block.
#pragma once

#include <vector>

#include "program/kernel.h"

namespace heddle {

enum class JoinRule : uint8_t { Assembler, PostDominators };

struct BarrierPlan {
  static constexpr uint32_t kNone = ~uint32_t{0};
  enum class Kind : uint8_t { Branch, Extra, Loop };
  struct Join {
    Kind kind;
    uint32_t node;    // where its threads meet
    uint32_t set_by;  // the node in front of which they enter
  };
  struct Edge {
    uint32_t to_block;             // where the instruction goes
    uint32_t node;                 // the first node on the way there
    std::vector<uint32_t> leaves;  // joins that threads no longer wait for
  };
  struct Node {
    std::vector<uint32_t> sets;  // joins
    std::vector<Edge> edges;     // a node without a block has one
    bool joins = false;          // threads may have to wait here
  };

  std::vector<Join> joins;
  std::vector<Node> nodes;               // the kernel's blocks, then those without one
  std::vector<uint32_t> first_of_equal;  // by block: the successor whose threads go first where both sides have as many

  const Edge& edge(uint32_t node, uint32_t to_block) const;
  // Does nothing happen when threads go from one block to the next?
  bool is_quiet(uint32_t block, uint32_t next) const;
};

BarrierPlan place_barriers(const Kernel& kernel, JoinRule rule);

}  // namespace heddle

// Random PTX kernels that end by construction: nested ifs, switches, loops with breaks and continues, calls, recursion,
// early exits, and, where all threads of a block pass together, barriers, shuffles and exits of the block.
//
// A kernel is kept as a tree of statements, so that one that shows a bug can be shrunk by dropping statements. Its
// result does not depend on the order of threads: each computes on its own registers, and what they exchange through
// shared memory lies between two barriers.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace heddle::test {

struct Statement {
  enum class Kind : uint8_t {
    Compute,    // a = b op c
    Guarded,    // the same under a predicate
    Remember,   // through local memory
    If,         // bodies: then, else
    IfBoth,     // short-circuit: two tests, then
    Loop,       // 0 to 4 trips, by thread
    SameLoop,   // a fixed number of trips
    Break,      // leaves one or several loops, on a condition
    Continue,   // on a condition
    Switch,     // brx.idx over the bodies
    Call,       // a function
    CallTable,  // a function by pointer
    Recurse,    // the function itself, while its depth lasts
    Return,     // from the function, on a condition
    Exit,       // the thread, on a condition
    IfBlock,    // on the block's number; bodies: then, else
    ExitBlock,  // a body or none, and the exit, on the block's number
    Exchange,   // through shared memory, between barriers
    Shuffle,    // shfl.sync and vote.sync of the static warp
  } kind = Kind::Compute;
  std::array<uint32_t, 5> numbers{};  // raw: the renderer takes of them what it needs
  std::vector<std::vector<Statement>> bodies;
};

struct RandomKernel {
  static constexpr unsigned kWords = 8;  // what a thread leaves
  uint64_t seed = 0;
  unsigned blocks = 1, threads = 32, warp_size = 32;
  std::vector<Statement> body;
  std::vector<std::vector<Statement>> functions;

  std::string ptx() const;  // kernel `k`, which takes a pointer to kWords words for each thread of the grid
  size_t statements() const;
};

RandomKernel random_kernel(uint64_t seed);

// The smallest kernel found, by dropping and unwrapping statements, for which `fails` still holds.
RandomKernel shrunk(RandomKernel kernel, const std::function<bool(const RandomKernel&)>& fails);

}  // namespace heddle::test

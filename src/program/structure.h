// The structured form of a kernel: what a machine runs whose ISA has no jumps, only properly nested regions.
//
// All blocks of a function stand in one order in which every loop is contiguous and every other edge goes forward. The
// order is that of the code where the code has this property. Regions are intervals of the order; they nest. A branch
// either goes on to the next block or leaves some number of regions: threads wait at the end of the last region they
// leave, which for a loop means its next iteration ("continue"), for a function its return.
//
//   if c goto E; A; goto J; E: B; J: …       if (if c leave 1; A; leave 1) endif B endif …     (the else side, the
//   join) L: A; if c goto X; B; goto L; X: …       loop-exit (loop A; if c leave 2; B; leave 1 endloop) end …
//
// Regions and the order are bookkeeping beside the code, which stays where it is: an item names a block. A block that
// has several items is code that a compiler for such a machine would have to write several times; `instructions`
// counts it. That happens where a loop has several entries (node splitting), and on short ways to an exit that must not
// wait for threads at a barrier.
#pragma once

#include <string>
#include <vector>

#include "program/kernel.h"

namespace heddle {

struct Structure {
  struct Region {
    enum class Kind : uint8_t {
      Function,  // ends with the return
      If,        // ends where a forward branch goes to
      Exit,      // the same, behind a loop: where a break goes to
      Loop,      // ends with the jump back to its begin
    };
    Kind kind = Kind::If;
    uint32_t begin = 0, end = 0;  // items
    uint32_t depth = 1;           // regions of the function around here, itself included
  };
  struct Edge {             // from a block to a block
    Pc target = 0;          // first instruction of the successor
    uint32_t levels = 0;    // regions left, counted from the innermost; 0 goes on to the next item
    uint32_t waits_at = 0;  // the item that ends the last of them
  };
  struct Item {
    enum class Kind : uint8_t { Begin, End, Block };
    Kind kind = Kind::Block;
    uint32_t region = 0;  // Begin: the one that begins. End, Block: the innermost around
    uint32_t around = 0;  // Begin: the one outside of it. End, Block: as region
    uint32_t block = 0;   // Block: in Kernel::blocks
    std::vector<Edge> edges{};
  };

  std::vector<Item> items;
  std::vector<Region> regions;
  std::vector<uint32_t> begins;                        // by function: its first item
  uint64_t instructions = 0, instructions_before = 0;  // with what is duplicated, and without; reachable ones only
  std::string problem;                                 // why there is no structured form; empty if there is one

  const Region& region_of(const Item& item) const { return regions[item.region]; }
  double growth() const {
    return instructions_before == 0 ? 1 : static_cast<double>(instructions) / static_cast<double>(instructions_before);
  }
};

// The structured code with its regions indented, for a person.
std::string structure_text(const Kernel& kernel);

}  // namespace heddle

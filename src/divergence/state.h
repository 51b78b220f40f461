// The state of a mechanism as values: what it keeps of a block, in the terms of its paper. Whoever shows it (a trace, a
// report of a deadlock, a picture) makes text or drawings of it; state_text() is the one notation for people.
//
// A StateRow is one thing that has state: a warp with its stack, a block with its own, a thread's counter. Its entries
// are what it holds, the top of a stack first; an entry has a word for what it is and named values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "divergence/support/block_mask.h"

namespace heddle {

// A set of threads: for each static warp, in order, its lanes. Written as hexadecimal words with a dot between them.
struct ThreadSet {
  unsigned width = kRow;  // lanes of a warp
  std::vector<uint32_t> words;
  bool operator==(const ThreadSet&) const = default;
};
ThreadSet lanes_of_warp(unsigned width, LaneMask row);  // `row`: lanes of a row, of one static warp
ThreadSet threads_of_block(unsigned width, unsigned threads, const BlockMask& mask);
std::string text_of(const ThreadSet& threads);

struct CodeAddress {
  Pc pc = kNoPc;  // kNoPc: none
  bool operator==(const CodeAddress&) const = default;
};

// One of these. (No std::variant: g++ 12 warns of it where nothing is wrong.)
struct StateValue {
  enum class Kind : uint8_t { Number, Code, Threads, Text };
  StateValue(uint64_t number) : kind(Kind::Number), number(number) {}
  StateValue(CodeAddress at) : kind(Kind::Code), number(at.pc) {}
  StateValue(ThreadSet set) : kind(Kind::Threads), threads(std::move(set)) {}
  StateValue(std::string words) : kind(Kind::Text), text(std::move(words)) {}
  bool operator==(const StateValue&) const = default;

  Kind kind;
  uint64_t number = 0;
  ThreadSet threads{};
  std::string text;
};

struct StateField {
  std::string_view name;
  StateValue value;
  bool operator==(const StateField&) const = default;
};
struct StateEntry {
  std::string_view word;  // "" where the row says it all
  std::vector<StateField> fields;
  bool operator==(const StateEntry&) const = default;
};
struct StateRow {
  std::string_view what;  // "warp"
  uint64_t number = 0;
  std::vector<StateEntry> entries;
  bool operator==(const StateRow&) const = default;
};
using State = std::vector<StateRow>;

// A line for each row: "  warp 0: [pc 5 rpc 6 mask 3] [pc 6 rpc - mask f]".
std::string state_text(const State& state);
// The state without the PCs of what runs: a warp that goes on to its next instruction is no change of it.
State without_running_pcs(State state);

}  // namespace heddle

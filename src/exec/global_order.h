// Global memory where cores run side by side: what they do to it in one cycle is done in the order of the cores, as if
// one had run after another.
//
// Life cycle: keep_order() gives the threads of a core a log, whose stand-ins for the handlers of memory instructions
// do nothing but call them unless the log is open. While it is (open() to close(), around the core's cycle), what the
// core writes waits in it, and so does what it reads behind a write of its own; other reads are done at once, and
// noted. Then commit(), core by core in their order: what waits is done, and what was read is read again where a core
// before has written to the line. Addresses are checked in the core's own cycle, so that a fault comes when it would
// have. Nobody looks at the results of a memory instruction in its own cycle; where somebody would, can_keep_order()
// says no.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "exec/context.h"

namespace heddle {

// Lines of memory; it may take one for another.
class LineFilter {
 public:
  bool empty() const { return used_.empty(); }
  void add(Address address) {
    uint64_t& word = words_[word_of(address)];
    if (word == 0) used_.push_back(static_cast<uint16_t>(word_of(address)));
    word |= bit_of(address);
  }
  bool has(Address address) const { return (words_[word_of(address)] & bit_of(address)) != 0; }
  void clear() {
    for (const uint16_t word : used_) words_[word] = 0;
    used_.clear();
  }

 private:
  static constexpr unsigned kLineShift = 7;  // no access of a thread is longer, and all are aligned
  static size_t word_of(Address address) { return (address >> kLineShift) % 64; }
  static uint64_t bit_of(Address address) { return uint64_t{1} << (address >> kLineShift) / 64 % 64; }

  std::array<uint64_t, 64> words_{};
  std::vector<uint16_t> used_;
};

class GlobalLog {
 public:
  explicit GlobalLog(Context& context);

  void open() { open_ = true; }
  void close() { open_ = false; }
  void commit(LineFilter& written);
  void execute(const Instruction& instruction, const Lanes& lanes);  // in the place of the handler at context.pc

 private:
  struct Entry {
    Pc pc = 0;
    bool waits = false;  // else it was done, and is a read
    Lanes lanes;         // a list is in `threads`
    std::array<Hw, kRow> threads;
    std::array<Address, kRow> address;
  };
  void note(const Lanes& lanes, LaneMask who, bool waits);
  void wait(const Instruction& instruction, const Lanes& lanes);
  void execute_again(Entry& entry);

  Context& context_;
  const std::vector<Handler> handlers_;  // by PC: the true ones
  bool open_ = false;
  bool writes_ = false;  // something waits
  std::vector<Entry> entries_;
  size_t used_ = 0;  // of entries_
};

bool can_keep_order(const Kernel& kernel);
void keep_order(Context& context);

}  // namespace heddle

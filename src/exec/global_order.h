// Global memory where cores run side by side, each some cycles ahead of others: what they do to it is done in the order
// of the cycles and, within one, of the cores, as if one had run after another.
//
// Life cycle: keep_order() gives the threads of a core a log, whose stand-ins for the handlers of memory instructions
// do nothing but call them unless the log is open. While it is, what the core writes waits in it with its operands, and
// so does what it reads of a line that it has written itself; other reads are done at once, and noted, but of memory
// that nobody writes to (ReadOnly). GlobalCommit then does, for all cores, what waits up to a cycle that all of them
// have left behind, and what was read is read again where somebody before has written to the line meanwhile. Between,
// nobody writes to global memory. Addresses are checked in the core's own cycle, so that a fault comes when it would
// have. Nobody may look at the result of a memory instruction before it is committed (oldest_result()). Where somebody
// would, can_keep_order() says no.
//
// Who runs a core seals its log behind that: what is asked of all logs at a commit is then a few words of each, and
// only logs that write, or have read what is written, are gone through. The others forget() what is past by themselves.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "exec/context.h"
#include "exec/read_only.h"

namespace heddle {

// Lines of memory; it may take one for another.
class LineFilter {
 public:
  bool empty() const { return used_.empty(); }
  using Line = uint32_t;  // its number, or the last bits of that
  static Line line_of(Address address) { return static_cast<Line>(address >> kLineShift); }
  void add(Line line) {
    uint64_t& word = words_[word_of(line)];
    if (word == 0) used_.push_back(static_cast<uint16_t>(word_of(line)));
    word |= bit_of(line);
  }
  bool has(Line line) const { return (words_[word_of(line)] & bit_of(line)) != 0; }
  void clear() {
    for (const uint16_t word : used_) words_[word] = 0;
    used_.clear();
  }

 private:
  static constexpr unsigned kLineShift = 7;  // no access of a thread is longer, and all are aligned
  static constexpr size_t kWords = 256;
  static uint32_t mixed(Line line) { return line * 0x9E37'79B1u; }  // arrays often lie a power of two apart
  static size_t word_of(Line line) { return mixed(line) >> 24; }
  static uint64_t bit_of(Line line) { return uint64_t{1} << (mixed(line) >> 18) % 64; }

  std::array<uint64_t, kWords> words_{};
  std::vector<uint16_t> used_;
};

class GlobalLog {
 public:
  GlobalLog(Context& context, const ReadOnly& read_only);

  void open() { open_ = true; }
  void close() { open_ = false; }
  // In the place of the handler at context.pc: of an access; of one that goes along with others (machine code), and
  // does not wait for what it reads.
  void execute(const Instruction& instruction, const Lanes& lanes);
  void execute_along(const Instruction& instruction, const Lanes& lanes);
  void execute_checked(const Instruction& instruction, const Lanes& lanes);  // where tests look for mistakes

  bool orders(Pc pc) const;  // is it an access that is put in order?
  // The cycle of the oldest that is not committed and has a result; kNoResult: there is none.
  static constexpr uint64_t kNoResult = ~uint64_t{0};
  uint64_t oldest_result() const { return results_.empty() ? kNoResult : results_.front(); }

  bool waits() const { return waiting_ > 0; }  // is there something to be done?
  void forget(uint64_t before);                // nothing of it waits
  void seal();
  // Of a sealed log: is there something to be done before that cycle, and has it read any of these lines?
  bool waits(uint64_t before) const { return oldest_waiting_ < before; }
  bool has_read(const LineFilter& lines) const;

  bool empty() const { return first_ == used_; }
  uint64_t cycle() const { return entries_[first_].cycle; }      // of the oldest that is not committed
  void add_written(uint64_t before, LineFilter& written) const;  // what waits to be written before that cycle
  void commit_cycle(const LineFilter& written);                  // the oldest
  void heed(const LineFilter& written);  // what was read of these lines is read again in its turn

 private:
  struct Kept {                         // of entries of which that is not all
    std::array<Hw, kRow> threads;       // of a list
    std::array<Address, kRow> address;  // of an access that was not told by parts
    std::array<std::byte*, kRow> host;  // of a store: of the lanes, or of the parts
    std::vector<std::byte> stored;      // by lane
    std::vector<uint64_t> operands;     // of what else waits: those behind the address, by lane
    std::vector<LaneMask> later;        // of one that goes along, by operand: lanes whose value was still to come
  };
  struct Entry {
    Pc pc = 0;
    bool waits = false;     // else it was done, and is a read
    bool access = true;     // of memory
    bool by_parts = false;  // as it was told
    uint32_t lines = 0;     // of a read: in lines_read_
    Lanes lanes;            // threads of a list are kept
    uint64_t cycle = 0;     // of one that goes along: when the last of what it reads was
    Access::Parts parts;
    Kept* kept = nullptr;
    Address address(unsigned lane) const { return by_parts ? parts.lane(lane) : kept->address[lane]; }
  };
  Entry& new_entry(const Lanes& lanes, LaneMask who);
  Kept& keep(Entry& entry);
  void note(const Lanes& lanes, LaneMask who, bool waits);
  void note_lines(Entry& entry);
  LaneMask still_to_come(const Operand& operand, const Lanes& lanes, uint64_t& last) const;
  template <class F>
  void for_each_operand(const Entry& entry, const Lanes& lanes, F&& f) const;
  void wait(const Instruction& instruction, const Lanes& lanes);
  void keep_operands(Entry& entry);
  void put_behind(uint64_t cycle);
  uint64_t value(const Operand& operand, Hw thread) const;
  void set_value(const Operand& operand, Hw thread, uint64_t value) const;
  void keep_stored(Entry& entry, const std::array<std::byte*, kRow>& host);
  void store(const Entry& entry) const;
  void execute_again(const Entry& entry);
  static Lanes lanes_of(const Entry& entry);
  template <class F>
  static bool any_line(const Entry& entry, F&& f);
  static void add_lines(const Entry& entry, LineFilter& lines);
  static bool reads(const Entry& entry, const LineFilter& lines);
  void drop_oldest();

  Context& context_;
  const ReadOnly& read_only_;
  const std::vector<Handler> handlers_;  // by PC: the true ones
  bool open_ = false;
  size_t waiting_ = 0;            // entries
  LineFilter written_;            // by those of them that write
  std::deque<uint64_t> results_;  // cycles of accesses that have one
  uint64_t to_come_ = 0;          // results of entries, by a hash of the register
  std::vector<Entry> entries_;
  size_t first_ = 0, used_ = 0;  // of entries_: what is in use
  std::vector<std::unique_ptr<Kept>> kept_;
  std::vector<Kept*> free_;  // of these
  std::vector<LaneMask> later_;
  std::vector<uint64_t> present_;  // while an old one is done: what its registers hold by now

  alignas(kApart) uint64_t oldest_waiting_ = kNoResult;  // its cycle, when the log was sealed
  std::vector<LineFilter::Line> lines_read_;  // by entries that were done at once, the first so many of them dropped
  size_t lines_dropped_ = 0;
};

class GlobalCommit {
 public:
  // All that was done before `before`; the logs in the order of their cores, all of them sealed. Returns those that
  // have changed.
  std::span<const size_t> operator()(std::span<GlobalLog* const> logs, uint64_t before);

 private:
  struct Due {
    uint64_t cycle;  // of the oldest that is not committed
    size_t core;
    GlobalLog* log;
    // Who is first is on top of the heap.
    bool operator<(const Due& other) const { return cycle != other.cycle ? cycle > other.cycle : core > other.core; }
  };
  void find_written(std::span<GlobalLog* const> logs, uint64_t before);
  LineFilter written_;
  std::vector<Due> due_;
  std::vector<size_t> changed_;
};

bool is_result(const Instruction& instruction, const Operand& operand);
bool can_keep_order(const Kernel& kernel);
void keep_order(Context& context, const ReadOnly& read_only);  // which outlives it

}  // namespace heddle

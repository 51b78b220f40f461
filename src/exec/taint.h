// Where values come from (Rhu and Erez, ISCA 2013, section 5): a taint per register and thread, which tells branches on
// data from branches on what is known before the kernel starts.
//
// Special registers and kernel parameters are programmatic (P); what a load or an atomic brings is data (D), whatever
// the address; a number in the text, and the address of a variable, is neither. A result joins its sources: D wins over
// P wins over none. Warp-wide instructions and bar.red join the sources of all threads that take part. Local memory,
// and with it what calls hand over, carries the taint that was stored, byte by byte; which address it was stored at
// plays no part. A thread whose guard is false keeps what its register had. Nothing flows through control: not from a
// guard to what it guards, nor from a branch to what is assigned behind it.
//
// Nobody pays who does not ask: follow_taint() puts run() in place of the handlers, and run() calls them. One step per
// instruction, made at the start, moves two bits per register and thread.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "exec/context.h"

namespace heddle {

enum class ValueOrigin : uint8_t { None, Programmatic, Data };  // of two the higher wins

class Taint {
 public:
  Taint(const Kernel& kernel, unsigned rows);

  void start_block(Hw first, unsigned threads);
  // Executes the instruction at context.pc and moves the taint along.
  void run(Context& context, const Instruction& instruction, const Lanes& lanes);

  ValueOrigin get(const Operand& operand, Hw thread) const;
  void set(const Operand& operand, Hw thread, ValueOrigin origin);
  ValueOrigin join(const Operand& operand, const Lanes& lanes) const;
  // Those of the lanes whose predicate (or index) was data at the last branch with a choice that they executed.
  LaneMask data_branches(const Lanes& lanes) const;

 private:
  friend void follow_taint(Context& context);

  enum class Rule : uint8_t { Nothing, Join, Programmatic, Data, Together, Load, Store, Builtin, Branch, Call, Return };
  struct Cell {  // one register of a row of threads
    uint32_t programmatic = 0, data = 0;
    Cell& operator|=(const Cell& other);
  };
  struct Step {
    Rule rule = Rule::Nothing;
    bool programmatic = false;  // some source is a kernel parameter
    uint8_t sources = 0, results = 0;
    std::array<uint16_t, 17> from{};  // register numbers; constants are left out
    std::array<uint16_t, 8> to{};
  };

  static Rule rule_of(const Instruction& instruction);
  void number_registers();
  void note_constants();
  Step step_of(const Instruction& instruction) const;
  uint16_t number(const Operand& operand) const { return number_[operand.at / 4]; }

  Cell* cells(unsigned row) { return &cells_[size_t{row} * registers_]; }
  const Cell* cells(unsigned row) const { return &cells_[size_t{row} * registers_]; }
  Cell joined(const Step& step, unsigned row) const;
  void write(const Step& step, unsigned row, LaneMask mask, const Cell& cell);
  void join_sources(const Step& step, const Lanes& lanes);
  void join_together(const Step& step, const Lanes& lanes);
  void note_branch(const Step& step, const Lanes& lanes);

  // Memory and calls (taint_memory.cpp).
  void load(const Context& context, const Instruction& instruction, const Step& step, const Lanes& lanes);
  void store(const Context& context, const Instruction& instruction, const Lanes& lanes);
  void builtin(const Context& context, const Instruction& instruction, const Lanes& lanes);
  void call(const Context& context, const Instruction& instruction, Hw thread);
  void leave(const Context& context, Hw thread);
  ValueOrigin local(Hw thread, uint64_t offset, uint64_t bytes) const;
  void set_local(Hw thread, uint64_t offset, uint64_t bytes, ValueOrigin origin);
  void copy_local(Hw thread, uint64_t from, uint64_t to, uint64_t bytes);

  const Kernel& kernel_;
  std::vector<Handler> handlers_;       // by PC: those that run() stands for
  std::vector<Step> steps_;             // by PC
  std::vector<uint16_t> number_;        // by place in the plane: which register
  std::vector<ValueOrigin> constants_;  // by place in the constant plane
  std::vector<uint16_t> specials_;      // registers that blocks start with
  size_t registers_ = 0;
  std::vector<Cell> cells_;                      // [row][register]
  std::vector<LaneMask> data_branches_;          // by row
  std::vector<std::vector<ValueOrigin>> local_;  // by thread: bytes of local memory, as far as anything was stored
  std::vector<std::vector<ValueOrigin>> saved_;  // by thread: of ReturnStack::saved, without the frames
};

// From now on the context's handlers move taint along: context.taint.
void follow_taint(Context& context);

}  // namespace heddle

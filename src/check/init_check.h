// Reads of what nobody has written: registers, shared and local memory, and global memory since it was allocated.
//
// Registers are looked at only where some path through the kernel reads one before it is written; there are few of
// these. To copy such a register is no use of it (compilers do that): the copy is then as unwritten. Of memory there is
// a bit for each byte.
#pragma once

#include <memory>
#include <vector>

#include "check/collector.h"
#include "check/written_bits.h"
#include "exec/monitor.h"

namespace heddle::check {

class InitCheck {
 public:
  InitCheck(Context& context, WrittenBits& global, Collector& found);

  bool concerns(Pc pc) const {
    return steps_[pc].kind != Kind::Nothing || !steps_[pc].reads.empty() || !steps_[pc].writes.empty();
  }
  void block_started(Context& context, BlockId block);
  void before(Context& context, const Instruction& instruction, const Lanes& lanes);
  void after(Context& context, const Instruction& instruction, const Lanes& lanes);

 private:
  enum class Kind : uint8_t { Nothing, Load, Store, Atomic, Copy, Call, Return, Builtin };
  struct Step {
    Kind kind = Kind::Nothing;
    uint8_t bytes = 0;
    bool copies = false;                  // mov, selp: nothing is made of what is read
    std::vector<uint16_t> reads, writes;  // doubtful registers, by number
  };
  static Kind kind_of(const Instruction& instruction);
  void find_doubtful(const Kernel& kernel);
  void add_copies(const Kernel& kernel);
  size_t doubt(const Operand& operand) const;  // its number; as many as there are: none
  struct Shared {                              // memory of a resident block
    std::unique_ptr<WrittenBits> bits;
    uint64_t bytes = 0;
    unsigned reads = 0;  // of whole rows
    bool full = false;   // every byte is written: nobody need look any more
  };

  Step step_of(const Kernel& kernel, const Instruction& instruction) const;
  uint32_t& written(unsigned row, uint16_t number) { return registers_[row * doubtful_.size() + number]; }

  void check_registers(Context& context, const Step& step, const Lanes& lanes);
  void note_registers(const Step& step, const Lanes& lanes);
  void copy_registers(const Context& context, const Instruction& instruction, const Step& step, const Lanes& lanes);
  bool is_written(const Operand& operand, Hw thread);
  void check_memory(Context& context, const Lanes& lanes, unsigned bytes);
  void note_memory(const Context& context, const Lanes& lanes, unsigned bytes);
  bool row_written(const Context& context, const Lanes& lanes, unsigned bytes) const;
  bool all_written(Shared& shared) const;
  // The bits of a thread's place, and where among them it is.
  struct Place {
    WrittenBits* bits;
    uint64_t at;
  };
  Place place_of(const Context& context, const Access& access, unsigned k, Hw thread) const;
  void note_copy(const Context& context, const Instruction& instruction, const Lanes& lanes);
  void enter(const Context& context, const Instruction& instruction, Hw thread);
  void leave(const Context& context, Hw thread);
  void note_results(const Context& context, const Instruction& instruction, Hw thread);
  void report_memory(Context& context, Hw thread, const Access& access, unsigned k);

  WrittenBits& global_;
  Collector& found_;
  std::vector<Operand> doubtful_;    // registers that may be read before they are written
  std::vector<uint32_t> registers_;  // [row][doubtful]: lanes that have written it
  std::vector<Step> steps_;          // by PC
  std::vector<Shared> shared_;       // by block id
  WrittenBits local_;
};

}  // namespace heddle::check

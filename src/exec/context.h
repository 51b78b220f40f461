// The architectural state of the threads resident on one core, and what the last instruction did.
//
// Exec knows nothing of warps: a machine gives a handler the instruction and the lanes it acts on, and reads from
// here who took a branch and which addresses were touched.
//
// Life cycle: one Context per core and launch. start_block() gives a block its rows and shared memory, end_block()
// takes them back; between, handlers run.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "exec/global_memory.h"
#include "exec/lanes.h"
#include "exec/scalar/scalar.h"
#include "exec/thread_memory.h"
#include "program/kernel.h"

namespace heddle {

struct Context;
class GlobalLog;
class Monitor;
class Taint;
class Touches;
using Handler = void (*)(Context&, const Instruction&, const Lanes&);

// What a launch gives all its threads.
struct LaunchInfo {
  Dim3 grid, block;
  uint32_t dynamic_shared = 0;
  Address parameters = 0;  // where the parameter bytes lie
  Address cooperative_workspace = 0;
  Address code = 0;  // where the kernel's code lies, for an instruction cache
  uint64_t grid_id = 0;
  unsigned cores = 1;
  unsigned core = 0;  // which of them these threads run on
};

struct BlockState {
  bool live = false;
  Dim3 index;
  Hw first{0};
  unsigned threads = 0;
  std::vector<std::byte> shared;
};

// Where threads go after a control instruction.
struct Target {
  Pc pc;
  LaneMask who;
};

// The addresses of the last memory instruction, for the load/store unit.
struct Access {
  Space space = Space::None;
  uint8_t bytes = 0;
  bool by_parts = false;  // `parts` says where its lanes are, `address` does not
  LaneMask mask;
  std::array<Address, kRow> address;  // of the active lanes
  // A simple row: of each eight lanes all are on one place, or each lies `step` bytes, all that it touches, behind the
  // one before. Of global memory all lanes are active.
  struct Parts {
    static constexpr unsigned kLanes = 8;
    std::array<Address, kRow / kLanes> first{};
    unsigned step = 0;
    Address lane(unsigned index) const { return first[index / kLanes] + Address{index % kLanes} * step; }
    bool one_run() const {  // are the parts, too, on one place, or each behind the one before?
      Address apart = 0;
      for (size_t p = 1; p < first.size(); ++p) apart |= first[p] ^ (first[p - 1] + Address{kLanes} * step);
      return apart == 0;
    }
  } parts;
};

// What is to be said of addresses: nothing at all, of simple rows where their parts are, or all.
enum class Tells : uint8_t { Nothing, Parts, All };

// Where the lanes of a row lie that have their address from a register, part by part (row/places.h), as the last load
// or store by that register found them.
struct BasePlaces {
  Pc head = kNoPc;  // SharedBase::head; kNoPc: not known
  LaneMask mask;
  bool same = false;               // of each part all lanes on one place; else one behind the other
  std::byte* base = nullptr;       // where address 0 is
  std::array<uint32_t, 4> part{};  // what the first lane of each has in the register
  uint32_t low = 0;                // bits that any of them has
  int64_t least = 0, room = 0;     // the lowest of them, and what is behind the last lane of the highest
};

// A register of any thread, for who reads or writes it of many that lie in several rows: where the planes are is asked
// once.
template <class T>
struct RegisterOf {
  std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>* base;
  size_t stride;  // from row to row
  size_t row(Hw thread) const { return thread / kRow * stride; }
  T& at(size_t row, unsigned place) const { return reinterpret_cast<T*>(base + row)[place]; }
  T& operator()(Hw thread) const { return at(row(thread), thread % kRow); }
  T& word(Hw thread) const { return at(row(thread), 0); }  // of predicates
  // The same by bytes, one number for all registers of this width; constants, which are alike for all threads, have 0.
  size_t bytes(Hw thread) const { return thread / kRow * (stride - kRow * sizeof(T)) + thread * sizeof(T); }
  T& by(size_t bytes) const { return *reinterpret_cast<T*>(base + (stride == 0 ? 0 : bytes)); }
  // Do places of all rows, counted by the width or more, go into 31 bits?
  bool near() const { return stride / sizeof(uint32_t) < (size_t{1} << 31) / (Hw::kLast / kRow + 1); }
  T& surely_by(size_t bytes) const { return *reinterpret_cast<T*>(base + bytes); }  // no constant
};

// What instructions name as constants, as rows: one for all cores of a launch.
using ConstantPlane = std::shared_ptr<const std::byte[]>;
ConstantPlane constant_plane_of(std::span<const std::byte> rows);

struct Context {
  Context(const Kernel& kernel, const LaunchInfo& launch, GlobalMemory& memory, ConstantPlane constants, unsigned rows);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void start_block(BlockId block, Hw first, Dim3 index);
  void end_block(BlockId block) { blocks[block].live = false; }

  // ---- registers
  std::byte* plane(Hw thread) const { return planes_ + static_cast<size_t>(thread / kRow) * stride_; }
  template <class T>
  const T* source_row(const Operand& operand, const std::byte* plane) const {
    return reinterpret_cast<const T*>((operand.constant() ? constants_.get() : plane) + operand.offset());
  }
  template <class T>
  const T* source_row(const Operand& operand, Hw first) const {
    return source_row<T>(operand, plane(first));
  }
  template <class T>
  static T* row(const Operand& operand, std::byte* plane) {
    return reinterpret_cast<T*>(plane + operand.at);
  }
  template <class T>
  T* row(const Operand& operand, Hw first) const {
    return row<T>(operand, plane(first));
  }
  template <class T>
  T get(const Operand& operand, Hw thread) const {
    return source_row<T>(operand, thread)[thread % kRow];
  }
  template <class T>
  void set(const Operand& operand, Hw thread, T value) const {
    row<T>(operand, thread)[thread % kRow] = value;
  }
  template <class T>
  RegisterOf<const T> source_of(const Operand& operand) const {
    const bool constant = operand.constant();
    return {(constant ? constants_.get() : planes_) + operand.offset(), constant ? 0 : stride_};
  }
  template <class T>
  RegisterOf<T> register_of(const Operand& operand) const {
    return {planes_ + operand.at, stride_};
  }
  bool predicate(const Operand& operand, Hw thread) const {
    return (*source_row<uint32_t>(operand, thread) >> (thread % kRow) & 1) != (operand.negated ? 1U : 0U);
  }
  void set_predicate(const Operand& operand, Hw thread, bool value) const;
  uint64_t get_bits(const Operand& operand, Hw thread) const;              // any width up to 8, zero-extended
  void set_bits(const Operand& operand, Hw thread, uint64_t value) const;  // any width up to 8
  // The predicate of each of the lanes.
  LaneMask predicate_mask(const Operand& operand, const Lanes& lanes) const {
    if (!lanes.is_row()) return list_predicate_mask(operand, lanes);
    const uint32_t word = *source_row<uint32_t>(operand, lanes.first);
    return LaneMask(operand.negated ? ~word : word) & lanes.mask;
  }
  // Those of the lanes whose guard lets the instruction act.
  [[gnu::always_inline]] Lanes guarded(const Instruction& instruction, Lanes lanes) const {
    if (instruction.guarded()) lanes.mask &= predicate_mask({instruction.guard, 0, instruction.guard_negated}, lanes);
    return lanes;
  }

  // ---- blocks and threads
  BlockState& block_of(Hw thread) { return blocks[block_of_row[thread / kRow]]; }
  std::byte* local(Hw thread) const { return local_ + static_cast<size_t>(thread) * local_stride_; }
  unsigned depth(Hw thread) const { return stacks.empty() ? 0 : static_cast<unsigned>(stacks[thread].frames.size()); }
  std::string name_thread(Hw thread);  // "block (1,0,0), thread (3,0,0)"
  // A fault of this thread at the current instruction.
  Fault fault(Hw thread, const std::string& what, Fault::Kind kind = Fault::Kind::Other);

  struct ReturnStack {
    struct Frame {
      Pc return_pc;
      uint32_t site;
    };
    std::vector<Frame> frames;
    std::vector<uint64_t> saved;
  };

  const Kernel& kernel;
  const LaunchInfo launch;
  GlobalMemory& memory;
  std::vector<Handler> handlers;      // by PC
  std::vector<Scalar> scalars;        // by PC: the meaning, for handlers without a row form
  std::vector<Pc> computes_until;     // by PC: the first from there on that is no function of registers
  std::vector<Extent> hints;          // by PC: the allocation last touched
  std::vector<BlockState> blocks;     // by id
  std::vector<BlockId> block_of_row;  // by row
  std::vector<ReturnStack> stacks;    // by thread, if the kernel has calls
  std::vector<uint32_t> alloca_top;   // by thread, if the kernel has alloca: bytes above the frame

  Pc pc = 0;                             // of the instruction under way
  uint64_t clock = 0;                    // what %clock reads
  std::array<uint32_t, kRow> offered{};  // by lane: to a shuffle, by others that it meets
  std::vector<Target> targets;           // of the last control instruction: distinct, ascending
  Access access;                         // of the last memory instruction
  std::vector<std::array<BasePlaces, SharedBase::kSlots>> base_places;  // by row and SharedBase::slot
  Tells tells = Tells::All;        // of access.address; loads and stores of rows may leave the rest
  std::string* printed = nullptr;  // where device printf goes; null: standard output
  // Told of the first load beside an allocation, which then goes through, as on hardware; null: such loads fault.
  std::function<void(const std::string&)> stray_load;
  bool stray_seen = false;
  std::function<bool(Address)> is_constant;  // does the address belong to a .const variable?
  std::unique_ptr<Taint> taint;              // null unless somebody asked for it: follow_taint()
  std::unique_ptr<Monitor> monitor;          // null unless somebody looks on
  std::unique_ptr<GlobalLog> log;            // null unless cores run side by side: keep_order()
  Touches* touches = nullptr;                // null unless other parts of the launch run side by side

  static constexpr uint64_t kLocalBytes = 256 * 1024;  // local memory of one thread

 private:
  LaneMask list_predicate_mask(const Operand& operand, const Lanes& lanes) const;
  void clear_registers(Hw first);  // of a row
  void note_threads();
  void fill_specials(const BlockState& block);

  const ConstantPlane constants_;
  std::vector<uint32_t> by_thread_;  // rows of special registers that differ among the threads of a block
  const size_t stride_, local_stride_;
  const ThreadMemory planes_memory_, local_memory_;
  std::byte *const planes_, *const local_;  // where these begin
};

}  // namespace heddle

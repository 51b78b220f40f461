#include "program/machine/calls.h"

#include <algorithm>
#include <map>

#include "program/machine/code_edit.h"
#include "program/machine/made_code.h"
#include "program/unit.h"

namespace heddle {
namespace {

constexpr unsigned kWord = 4;
constexpr unsigned kAlways = 3;  // words saved beside: where to return to (two), and where threads meet

unsigned words_of(unsigned bytes) { return (bytes + kWord - 1) / kWord; }

// Registers that are needed behind a call in the function, in words. Predicates are saved in one together.
unsigned words_needed(const Kernel& kernel, const FunctionRange& function) {
  std::map<uint32_t, unsigned> needed;
  for (Pc pc = function.begin; pc < function.end; ++pc)
    if (kernel.code[pc].op == Op::Call)
      for (const Operand& saved : kernel.calls[kernel.code[pc].table].saved) needed[saved.at] = saved.bytes;
  unsigned words = 0;
  bool predicates = false;
  for (const auto& [at, bytes] : needed) {
    words += words_of(bytes);
    predicates = predicates || bytes == 0;
  }
  return words + (predicates ? 1 : 0);
}

Instruction access(const Kernel& kernel, Op op, const Operand& value, uint32_t offset, const Instruction& beside) {
  Instruction out = op == Op::St ? made(beside, op, Type::B32, {}, {kernel.frame, value})
                                 : made(beside, op, Type::B32, {value}, {kernel.frame});
  out.space = Space::Local;
  out.mods.set(static_cast<size_t>(Mod::Local));
  out.displacement = offset;
  return out;
}

void enlarge_frame(Kernel& kernel, FunctionRange& function, uint32_t bytes) {
  function.frame_bytes += bytes;
  for (Pc pc = function.begin; pc < function.end; ++pc)
    if (kernel.code[pc].op == Op::Call) kernel.calls[kernel.code[pc].table].frame_bytes += bytes;
}

// Of a call: lies it in the frame, where the convention has a register for it?
bool is_parameter(const Kernel& kernel, const Instruction& i) {
  return (i.op == Op::Ld || i.op == Op::St) && i.space == Space::Local && i.has(Mod::Param) &&
         i.src[0].at == kernel.frame.at;
}

unsigned words_of(const std::vector<CallSite::Item>& items) {
  unsigned words = 0;
  for (const CallSite::Item& item : items) words += words_of(item.bytes);
  return words;
}

// How often each function is called by its name, by where it begins.
std::map<Pc, unsigned> calls_of(const Kernel& kernel) {
  std::map<Pc, unsigned> calls;
  for (const Instruction& i : kernel.code)
    if (i.op == Op::Call && i.target != kNoPc) ++calls[i.target];
  return calls;
}

// The assembler gives them to two pipes in turn.
void add_copies(MachineCost& cost, unsigned copies) {
  cost.add(Unit::Integer, (copies + 1) / 2);
  cost.add(Unit::Multiply, copies / 2);
}

void add_call(const Kernel& kernel, const Instruction& call, bool several, MachineCost& cost) {
  const CallSite& site = kernel.calls[call.table];
  if (site.builtin != CallSite::Builtin::None) return;
  const bool convention = site.indirect || (call.target != kNoPc && kernel.function_at(call.target).recursive);
  unsigned copies = convention ? 2 : 1;  // where to return to
  if (convention || several) copies += words_of(site.arguments);
  if (!convention && several) copies += words_of(site.results);
  add_copies(cost, copies);
}

}  // namespace

bool add_saves(Kernel& kernel) {
  std::vector<std::vector<Instruction>> before(kernel.code.size());
  bool any = false;
  for (FunctionRange& function : kernel.functions) {
    if (!function.recursive || function.begin == kernel.functions.front().begin) continue;
    const unsigned words = words_needed(kernel, function) + kAlways;
    std::vector<Operand> values;
    for (unsigned i = 0; i < words; ++i) values.push_back(new_register(kernel, kWord));
    const Operand waits = new_register(kernel, kWord);
    const uint32_t first = function.frame_bytes;
    for (unsigned i = 0; i < words; ++i) {
      const Instruction& entry = kernel.code[function.begin];
      before[function.begin].push_back(access(kernel, Op::St, values[i], first + i * kWord, entry));
    }
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      if (kernel.code[pc].op != Op::Ret) continue;
      for (unsigned i = 0; i < words; ++i)
        before[pc].push_back(access(kernel, Op::Ld, values[i], first + i * kWord, kernel.code[pc]));
      // Whoever returns has its address.
      before[pc].push_back(made(kernel.code[pc], Op::Add, Type::U32, {waits}, {values[0], values[0]}));
    }
    enlarge_frame(kernel, function, (words * kWord + 15) / 16 * 16);
    any = true;
  }
  if (any) insert(kernel, before);
  return any;
}

void add_call_costs(Kernel& kernel) {
  std::map<Pc, unsigned> calls = calls_of(kernel);
  for (const FunctionRange& function : kernel.functions) {
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      const Instruction& i = kernel.code[pc];
      MachineCost& cost = kernel.costs[pc];
      if (is_parameter(kernel, i)) {
        cost = {};
        cost.slots = 0;
      } else if (i.op == Op::Call) {
        add_call(kernel, i, i.target != kNoPc && calls[i.target] > 1, cost);
      } else if (i.op == Op::Ret) {
        add_copies(cost, calls[function.begin] > 1 && !function.recursive ? 2 : 1);
      } else if (function.recursive && touches_memory(i.op) && i.space == Space::Global) {
        cost.add(Unit::Integer, 2);
      }
    }
  }
}

}  // namespace heddle

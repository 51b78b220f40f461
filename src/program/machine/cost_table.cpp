#include "program/machine/cost_table.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/embedded_text.h"
#include "base/error.h"
#include "base/text.h"
#include "program/isa.h"
#include "program/machine/opcode_unit.h"
#include "program/tensor_cost.h"

namespace heddle {

std::span<const EmbeddedText> machine_tables();  // tools/embed_texts.cmake

namespace {

constexpr unsigned kTooFar = 100;

// Cycles that an instruction takes longer than others of its unit, by the H200: latency.mul.hi.u32 beside mad.s32,
// latency.shfl beside shared.latency, latency.cvt.f64.f32 beside ex2.f32.
unsigned more_of(std::string_view opcode) {
  if (opcode == "IMAD.HI") return 5;
  return opcode == "SHFL" || opcode == "F2F" ? 1 : 0;
}

// Products of twice the width take their pipe twice as long.
uint8_t taken_by(std::string_view opcode) { return opcode == "IMAD.HI" || opcode == "IMAD.WIDE" ? 2 : 1; }

bool is_number(std::string_view operand) {
  return !operand.empty() && (operand.front() == '-' || (operand.front() >= '0' && operand.front() <= '9'));
}

uint64_t number_of(std::string_view operand) {
  const bool negative = operand.starts_with('-');
  if (negative) operand.remove_prefix(1);
  int base = 10;
  if (operand.starts_with("0x") || operand.starts_with("0f") || operand.starts_with("0d")) {
    operand.remove_prefix(2);
    base = 16;
  }
  uint64_t value = 0;
  std::from_chars(operand.data(), operand.data() + operand.size(), value, base);
  return negative ? ~value + 1 : value;
}

Space space_of(const ModSet& mods) {
  const auto has = [&](Mod mod) { return mods[static_cast<size_t>(mod)]; };
  if (has(Mod::Global)) return Space::Global;
  if (has(Mod::Const)) return Space::Const;
  if (has(Mod::Shared) || has(Mod::SharedCta)) return Space::Shared;
  if (has(Mod::Local)) return Space::Local;
  return has(Mod::Param) ? Space::Param : Space::None;
}

// "add.s64 l0, l1, 4096" as the instruction it is, but for its registers.
Instruction instruction_of(std::string_view probe, std::optional<uint64_t>& literal) {
  const size_t end = std::min(probe.find(' '), probe.size());
  const std::vector<std::string_view> words = split(probe.substr(0, end), '.');
  const std::vector<std::string> modifiers(words.begin() + 1, words.end());
  std::string why;
  const Match found = match(words.front(), modifiers, why);
  require(found.form != nullptr, "a table of costs has an instruction that heddle has not");
  Instruction out;
  out.op = found.form->op;
  out.type = found.type;
  out.source_type = found.source_type;
  out.mods = found.mods;
  out.space = space_of(out.mods);
  out.vector = out.has(Mod::V2) ? 2 : out.has(Mod::V4) ? 4 : 1;
  for (std::string_view operand : split(probe.substr(end), ',')) {
    operand.remove_prefix(std::min(operand.find_first_not_of(' '), operand.size()));
    if (is_number(operand)) literal = number_of(operand);
  }
  return out;
}

unsigned type_distance(Type a, Type b) {
  if (a == b) return 0;
  if (bytes_of(a) != bytes_of(b) || is_float(a) != is_float(b)) return kTooFar;
  return 1;
}

// A division by a power of two is a shift.
unsigned literal_distance(const std::optional<uint64_t>& a, const std::optional<uint64_t>& b) {
  if (a.has_value() != b.has_value()) return 4;
  return a && std::has_single_bit(*a) != std::has_single_bit(*b) ? 2 : 0;
}

// What goes to memory is put into a register once, before a loop.
std::optional<uint64_t> literal_among(const Instruction& instruction, const Literals& literals) {
  if (touches_memory(instruction.op)) return std::nullopt;
  for (unsigned i = instruction.src_count; i-- > 0;)
    if (const auto found = literals.of(instruction.src[i])) return found;
  return std::nullopt;
}

// The halves of a wide value go side by side: of a chain of 64-bit sums each half waits for its own.
bool are_halves(const std::vector<std::string_view>& opcodes) {
  constexpr std::string_view kByHalves = " LOP3 MOV SEL FSEL IADD3 LEA SHF ";
  return opcodes.size() == 2 && std::all_of(opcodes.begin(), opcodes.end(), [&](std::string_view opcode) {
           return kByHalves.find(opcode) != std::string_view::npos;
         });
}

// "MUFU:0 DFMA:17<1 DFMA3:25"
std::vector<MachineStep> steps_of(std::string_view text) {
  std::vector<MachineStep> steps;
  for (const std::string_view each : split(text, ' ')) {
    const size_t colon = each.find(':');
    std::string_view opcode = each.substr(0, colon);
    MachineStep step;
    step.third_read = opcode == "DFMA3";
    if (step.third_read) opcode.remove_suffix(1);
    step.unit = unit_of_opcode(opcode);
    step.takes = taken_by(opcode);
    step.refetches = opcode == "BRA" ? 1 : 0;
    const size_t less = each.find('<', colon);
    if (less != std::string_view::npos) step.results = static_cast<uint8_t>(number_of(each.substr(less + 1)));
    const auto at = static_cast<uint16_t>(number_of(each.substr(colon + 1, less - colon - 1)));
    step.at = steps.empty() ? at : std::max<uint16_t>(at, static_cast<uint16_t>(steps.back().at + 1));
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

Literals::Literals(const Kernel& kernel) : rows_(kernel.constant_bytes / 4 + 1) {
  for (const ConstantRow& row : kernel.constants)
    if (row.kind == ConstantRow::Kind::Literal) rows_[row.offset / 4] = row.bits;
}

std::optional<uint64_t> Literals::of(const Operand& operand) const {
  return operand.constant() ? rows_[operand.offset() / 4] : std::nullopt;
}

MachineCost one_slot(Unit unit) {
  MachineCost cost;
  cost.units[static_cast<size_t>(unit)] = 1;
  cost.last = unit;
  return cost;
}

MachineCost cost_of_sequence(std::string_view opcodes, std::optional<unsigned> chain) {
  MachineCost cost;
  cost.slots = 0;
  const std::vector<std::string_view> each = split(opcodes, ' ');
  unsigned before = 0;  // of all, with the last's own
  bool branches = false;
  for (const std::string_view opcode : each) {
    const Unit unit = unit_of_opcode(opcode);
    ++cost.slots;
    cost.units[static_cast<size_t>(unit)] += taken_by(opcode);
    if (unit != Unit::Control || cost.slots == 1) cost.last = unit;
    branches = branches || opcode == "BSYNC" || opcode == "CALL";
    before += chain_latency(unit) - 1 + more_of(opcode);
  }
  if (chain) before = *chain - std::min<unsigned>(*chain, cost.slots);
  before -= std::min(before, chain_latency(cost.last) - 1);
  cost.before = are_halves(each) ? uint16_t{0} : static_cast<uint16_t>(before);
  if (!branches) return cost;
  cost.holds = static_cast<uint16_t>(cost.before + cost.slots - 1U + chain_latency(cost.last));
  cost.refetches = 1;
  return cost;
}

CostTable::CostTable(std::string_view csv) {
  for (std::string_view line : split(csv, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const size_t bar = line.find(" | "), second = std::min(line.find(" | ", bar + 3), line.size());
    const size_t third = second == line.size() ? second : std::min(line.find(" | ", second + 3), line.size());
    const std::string_view probe = line.substr(0, bar), opcodes = line.substr(bar + 3, second - bar - 3);
    lines_[probe] = static_cast<unsigned>(split(opcodes, ' ').size());
    if (probe.find(';') != std::string_view::npos) continue;  // several together: what becomes of them is folding
    Row row;
    row.instruction = instruction_of(probe, row.literal);
    std::optional<unsigned> chain;
    if (second < line.size()) chain = static_cast<unsigned>(number_of(line.substr(second + 3, third - second - 3)));
    row.cost = cost_of_sequence(opcodes, chain);
    if (row.instruction.op == Op::Cvt && row.instruction.type == Type::F64)
      row.cost.wide_results = row.cost.units[static_cast<size_t>(Unit::Special)];
    if (third < line.size()) {
      steps_.push_back(std::make_unique<const std::vector<MachineStep>>(steps_of(line.substr(third + 3))));
      row.cost.steps = steps_.back().get();
      row.cost.third_reads = static_cast<uint8_t>(std::count_if(row.cost.steps->begin(), row.cost.steps->end(),
                                                                [](const auto& step) { return step.third_read; }));
    }
    const auto op = static_cast<size_t>(row.instruction.op);
    if (rows_.size() <= op) rows_.resize(op + 1);
    rows_[op].push_back(row);
  }
}

unsigned CostTable::slots_of(std::string_view probe) const { return lines_.at(probe); }

bool CostTable::reads_constant_operands() const {
  return slots_of("ld.param.u32 r0, [number]; add.s32 r2, r0, r1") == 1;
}

bool CostTable::has_limits_of_three() const { return slots_of("max.s32 r0, r1, r2; max.s32 r3, r0, r4") == 1; }

unsigned CostTable::shared_base_slots() const {  // beyond the multiply-add and the load
  return slots_of("mov.u32 r2, room; mad.lo.s32 r3, r1, 12, r2; ld.shared.u32 r4, [r3]") - 2;
}

const CostTable& CostTable::named(std::string_view target) {
  static const auto tables = [] {
    std::vector<std::pair<std::string_view, CostTable>> all;
    for (const EmbeddedText& file : machine_tables())
      all.emplace_back(file.file.substr(0, file.file.rfind('.')), CostTable(file.text));
    return all;
  }();
  for (const auto& [name, table] : tables)
    if (name == target) return table;
  throw InternalError("no table of costs for " + std::string(target));
}

MachineCost CostTable::of(const Instruction& instruction, const Literals& literals) const {
  if (instruction.op == Op::Mma) return tensor_cost(instruction);
  const auto op = static_cast<size_t>(instruction.op);
  const Row* nearest = nullptr;
  size_t least = kTooFar;
  if (op < rows_.size()) {
    const std::optional<uint64_t> literal = literal_among(instruction, literals);
    for (const Row& row : rows_[op]) {
      const size_t distance =
          type_distance(row.instruction.type, instruction.type) +
          type_distance(row.instruction.source_type, instruction.source_type) +
          2 * (row.instruction.mods ^ instruction.mods).count() + (row.instruction.space != instruction.space ? 8 : 0) +
          (row.instruction.vector != instruction.vector ? 4 : 0) + literal_distance(row.literal, literal);
      if (distance < least) {
        least = distance;
        nearest = &row;
      }
    }
  }
  if (nearest) return nearest->cost;
  return one_slot(instruction.flow == Flow::Branch ? Unit::Control : unit_of(instruction));
}

}  // namespace heddle

#include "program/machine/sums.h"

namespace heddle {
namespace {

constexpr int64_t kFar = int64_t{1} << 24;  // beyond it nobody counts by adding

bool is_whole(Type type) {
  return type == Type::S32 || type == Type::U32 || type == Type::B32 || type == Type::S64 || type == Type::U64 ||
         type == Type::B64;
}

}  // namespace

std::optional<int64_t> number_of(const Literals& literals, const Operand& operand) {
  const std::optional<uint64_t> bits = literals.of(operand);
  if (!bits) return std::nullopt;
  return operand.bytes == 8 ? static_cast<int64_t>(*bits) : static_cast<int32_t>(*bits);
}

std::optional<Sum> Sums::of(const Operand& operand) const {
  if (operand.constant() || operand.bytes < 4) return std::nullopt;
  const auto known = known_.find(operand.at);
  return known == known_.end() ? Sum{operand} : known->second;
}

std::optional<Sum> Sums::result(const Instruction& i) const {
  if (i.guarded() || i.dst_count != 1 || !is_whole(i.type) || i.has(Mod::Sat) || i.has(Mod::Cc)) return std::nullopt;
  if (i.dst[0].bytes != i.src[0].bytes) return std::nullopt;
  std::optional<Sum> sum = of(i.src[0]);
  if (i.op == Op::Mov && i.src_count == 1) return sum;
  if (i.op != Op::Add && i.op != Op::Sub) return std::nullopt;
  const std::optional<int64_t> number = number_of(literals_, i.src[1]);
  if (!sum || !number || *number > kFar || *number < -kFar) return std::nullopt;
  sum->more += i.op == Op::Add ? *number : -*number;
  return sum;
}

void Sums::pass(const Instruction& instruction) {
  const std::optional<Sum> sum = result(instruction);
  for (unsigned i = 0; i < instruction.dst_count; ++i) known_[instruction.dst[i].at] = sum;
}

void Sums::forget(uint32_t base) {
  known_.try_emplace(base, std::nullopt);
  for (auto& [at, sum] : known_)
    if (sum && sum->of.at == base) sum.reset();
}

}  // namespace heddle

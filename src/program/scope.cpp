#include "program/scope.h"

#include <charconv>

namespace heddle {

unsigned Scopes::push() {
  Scope scope;
  scope.parent = current_;
  scopes_.push_back(std::move(scope));
  return current_ = static_cast<unsigned>(scopes_.size() - 1);
}

void Scopes::declare(const ptx::Registers& registers) {
  Family family;
  // A register of 8 bits holds 16, as on hardware: no row is narrower.
  family.bytes = registers.type == Type::Pred ? 0 : std::max(2U, bytes_of(registers.type));
  family.vector = registers.vector;
  family.count = registers.count;
  Scope& scope = scopes_[current_];
  (registers.count > 0 ? scope.ranges : scope.registers)[registers.name] = std::move(family);
}

const std::vector<Operand>& Scopes::rows(Family& family, uint32_t index) {
  std::vector<Operand>& rows = family.rows[index];
  while (rows.size() < family.vector)
    rows.push_back({plane_.row(family.bytes), static_cast<uint8_t>(family.bytes), false});
  return rows;
}

std::vector<Operand> Scopes::find_register(std::string_view name) {
  // %r12 of %r<20>
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  uint32_t index = 0;
  const bool numbered = digits < name.size() && (name[digits] != '0' || digits + 1 == name.size()) &&
                        std::from_chars(name.data() + digits, name.data() + name.size(), index).ec == std::errc{};
  // v.x of a vector register
  const size_t dot = name.rfind('.');
  const size_t component = dot != std::string_view::npos && dot + 2 == name.size()
                               ? std::string_view("xyzwrgba").find(name[dot + 1])
                               : std::string_view::npos;
  for (unsigned at = current_;; at = scopes_[at].parent) {
    Scope& scope = scopes_[at];
    if (auto found = scope.registers.find(name); found != scope.registers.end()) return rows(found->second, 0);
    if (numbered)
      if (auto found = scope.ranges.find(name.substr(0, digits));
          found != scope.ranges.end() && index < found->second.count)
        return rows(found->second, index);
    if (component != std::string_view::npos)
      if (auto found = scope.registers.find(name.substr(0, dot));
          found != scope.registers.end() && component % 4 < found->second.vector)
        return {rows(found->second, 0)[component % 4]};
    if (at == 0) return outer_ ? outer_->find_register(name) : std::vector<Operand>{};
  }
}

template <class T>
const T* Scopes::find(Names<T> Scope::*member, std::string_view name, unsigned from) const {
  for (unsigned at = from;; at = scopes_[at].parent) {
    const Names<T>& names = scopes_[at].*member;
    if (const auto found = names.find(name); found != names.end()) return &found->second;
    if (at == 0) return nullptr;
  }
}

const PlacedVariable* Scopes::find_variable(std::string_view name) const {
  return find(&Scope::variables, name, current_);
}

std::optional<Pc> Scopes::find_label(std::string_view name, unsigned from) const {
  const Pc* pc = find(&Scope::labels, name, from);
  return pc ? std::optional(*pc) : std::nullopt;
}

const ptx::BranchTargets* Scopes::find_table(std::string_view name) const {
  const auto* table = find(&Scope::tables, name, current_);
  return table ? *table : nullptr;
}

const ptx::Prototype* Scopes::find_prototype(std::string_view name) const {
  const auto* prototype = find(&Scope::prototypes, name, current_);
  return prototype ? *prototype : nullptr;
}

}  // namespace heddle

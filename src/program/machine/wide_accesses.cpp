#include "program/machine/wide_accesses.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "program/analysis.h"
#include "program/machine/alignment.h"
#include "program/machine/code_edit.h"

namespace heddle {
namespace {

constexpr int64_t kWidest = 16;

class WideAccesses {
 public:
  explicit WideAccesses(Kernel& kernel) : kernel_(kernel), alignment_(kernel), gone_(kernel.code.size()) {}

  bool run() {
    for (const BasicBlock& block : kernel_.blocks) {
      for (Pc pc = block.begin; pc < block.end; ++pc) note(pc);
      for (const auto& [key, places] : groups_)
        for (auto at = places.begin(); at != places.end();) at = join_from(at, places);
      groups_.clear();
    }
    const bool changed = std::find(gone_.begin(), gone_.end(), true) != gone_.end();
    if (changed) take_out(kernel_, gone_);
    return changed;
  }

 private:
  // Who may be one: the same operation and space, base, guard and width, with nothing between that keeps them apart.
  using Key = std::tuple<Op, Space, uint32_t, uint32_t, bool, unsigned, unsigned>;
  using Places = std::map<int64_t, Pc>;  // by displacement

  void note(Pc pc) {
    const Instruction& i = kernel_.code[pc];
    if (touches_memory(i.op) || i.flow != Flow::Plain) keep_apart(i);
    if (i.op == Op::St && i.space != Space::Global) part_stores(i);
    if (may_join(i)) groups_[key_of(i)].emplace(i.displacement, pc);
  }

  Key key_of(const Instruction& i) const {
    return {i.op, i.space, i.src[0].at, i.guard, i.guard_negated, bytes_of(i.type), times_[i.op == Op::St]};
  }

  // A store passes none that may be to the same place: of another base or width, or the same again.
  void part_stores(const Instruction& store) {
    if (!may_join(store) || key_of(store) != last_store_ || groups_[last_store_].contains(store.displacement))
      ++times_[1];
    last_store_ = key_of(store);
  }

  static bool may_join(const Instruction& i) {
    if ((i.op != Op::Ld && i.op != Op::St) || i.vector != 1 || i.has(Mod::Volatile)) return false;
    if (i.space != Space::Shared && i.space != Space::Local && i.space != Space::Const) return false;
    const unsigned bytes = bytes_of(i.type);
    return (bytes == 4 || bytes == 8) && value_of(i).bytes == bytes;
  }

  static const Operand& value_of(const Instruction& i) { return i.op == Op::Ld ? i.dst[0] : i.src[1]; }

  void keep_apart(const Instruction& i) {
    if (i.op == Op::Ld && i.space == Space::Const) return;
    if (i.op != Op::Ld) ++times_[0];
    if (i.op != Op::St) ++times_[1];
  }

  // As many of the places from `first` on as are one access; returns the next.
  Places::const_iterator join_from(Places::const_iterator first, const Places& places) {
    const Instruction& front = kernel_.code[first->second];
    const int64_t bytes = bytes_of(front.type);
    int64_t end = first->first;
    for (auto at = first; at != places.end() && at->first == end; ++at) end += bytes;
    int64_t width = std::min<int64_t>(kWidest, alignment_.bytes(front.src[0]));
    while (width > bytes && (first->first % width != 0 || first->first + width > end)) width /= 2;
    std::vector<Pc> parts;
    auto next = first;
    for (int64_t joined = 0; joined < std::max(width, bytes); joined += bytes) parts.push_back((next++)->second);
    if (parts.size() < 2) return next;
    const auto [from, to] = std::minmax_element(parts.begin(), parts.end());
    const Pc at = front.op == Op::Ld ? *from : *to;
    if (!std::all_of(parts.begin(), parts.end(), [&](Pc part) { return may_move(part, at); })) return next;
    make_one(parts, at);
    return next;
  }

  // Does nobody between use what it writes, or write what it uses?
  bool may_move(Pc part, Pc to) const {
    const Accesses own = accesses_of(kernel_, kernel_.code[part]);
    const auto meets = [](const std::vector<Operand>& a, const std::vector<Operand>& b) {
      return std::any_of(a.begin(), a.end(), [&](const Operand& each) {
        return std::any_of(b.begin(), b.end(), [&](const Operand& other) { return other.at == each.at; });
      });
    };
    for (Pc pc = std::min(part, to); pc <= std::max(part, to); ++pc) {
      if (pc == part) continue;
      const Accesses other = accesses_of(kernel_, kernel_.code[pc]);
      if (meets(own.writes, other.reads) || meets(own.writes, other.writes) || meets(own.reads, other.writes))
        return false;
    }
    return true;
  }

  // `parts`: in the order of their places.
  void make_one(const std::vector<Pc>& parts, Pc at) {
    Instruction whole = kernel_.code[at];
    whole.vector = static_cast<uint8_t>(parts.size());
    whole.mods.set(static_cast<size_t>(parts.size() == 2 ? Mod::V2 : Mod::V4));
    whole.displacement = kernel_.code[parts.front()].displacement;
    for (size_t i = 0; i < parts.size(); ++i)
      (whole.op == Op::Ld ? whole.dst[i] : whole.src[1 + i]) = value_of(kernel_.code[parts[i]]);
    (whole.op == Op::Ld ? whole.dst_count : whole.src_count) =
        static_cast<uint8_t>(parts.size() + (whole.op == Op::Ld ? 0 : 1));
    for (Pc part : parts) gone_[part] = part != at;
    kernel_.code[at] = whole;
  }

  Kernel& kernel_;
  const Alignment alignment_;
  std::vector<bool> gone_;
  std::map<Key, Places> groups_;
  Key last_store_;
  unsigned times_[2] = {0, 0};  // what loads and stores do not pass
};

}  // namespace

bool join_accesses(Kernel& kernel) { return WideAccesses(kernel).run(); }

}  // namespace heddle

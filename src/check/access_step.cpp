#include "check/access_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace heddle::check {
namespace {

using StepKind = AccessStep::Kind;

bool has_any(const Instruction& i, std::initializer_list<Mod> mods) {
  return std::any_of(mods.begin(), mods.end(), [&](Mod mod) { return i.has(mod); });
}

bool may_be_seen(const Instruction& i) {
  return i.space == Space::Shared || i.space == Space::Global || i.space == Space::None;
}

StepKind kind_of(const Instruction& i) {
  switch (i.op) {
    case Op::Ld: return may_be_seen(i) ? StepKind::Load : StepKind::Nothing;
    case Op::St: return may_be_seen(i) ? StepKind::Store : StepKind::Nothing;
    case Op::Atom:
    case Op::Red:
    case Op::MbarInit:
    case Op::MbarInval: return StepKind::Atomic;
    case Op::MbarTx:
    case Op::CpArrive:
    case Op::MbarArrive: return StepKind::Arrive;
    case Op::MbarTest: return StepKind::Test;
    case Op::CpAsync: return StepKind::Copy;
    case Op::Fence: return i.has(Mod::Proxy) ? StepKind::Nothing : StepKind::Fence;
    case Op::Exit: return StepKind::Exit;
    default: return StepKind::Nothing;
  }
}

unsigned bytes_of_access(const Instruction& i) {
  return i.op == Op::Ld || i.op == Op::St || i.op == Op::Atom || i.op == Op::Red ? bytes_of(i.type) * i.vector : 8;
}

}  // namespace

AccessStep AccessStep::of(const Instruction& i) {
  AccessStep step;
  step.kind = kind_of(i);
  if (step.kind == StepKind::Nothing || step.kind == StepKind::Exit) return step;
  step.reach = i.has(Mod::Cta) ? Reach::Block : Reach::Gpu;
  if (step.kind == StepKind::Fence) return step;
  step.bytes = static_cast<uint8_t>(bytes_of_access(i));
  const bool plain = step.kind == StepKind::Load || step.kind == StepKind::Store || step.kind == StepKind::Copy;
  if (!plain) step.flags |= Record::kAtomic;
  if (has_any(i, {Mod::Volatile, Mod::Relaxed, Mod::Acquire, Mod::Release, Mod::AcqRel, Mod::Sc, Mod::Mmio}))
    step.flags |= Record::kStrong;
  if (step.strong() && step.reach == Reach::Block) step.flags |= Record::kBlockOnly;
  step.acquires = has_any(i, {Mod::Acquire, Mod::AcqRel, Mod::Sc});
  step.releases = has_any(i, {Mod::Release, Mod::AcqRel, Mod::Sc});
  return step;
}

std::string name_of(const Instruction& i, bool write) {
  const AccessStep step = AccessStep::of(i);
  if ((step.flags & Record::kAtomic) != 0) return fmt::format("atomic of {} bytes", step.bytes);
  if (step.kind == StepKind::Copy) return write ? "asynchronous write" : "asynchronous read";
  return fmt::format("{}{} of {} byte{}", step.strong() ? "volatile " : "", write ? "write" : "read", step.bytes,
                     step.bytes == 1 ? "" : "s");
}

}  // namespace heddle::check

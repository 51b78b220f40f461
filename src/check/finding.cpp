#include "check/finding.h"

#include <algorithm>

#include "base/error.h"

namespace heddle::check {
namespace {

using Found = Finding::Kind;

struct KindRow {
  Found kind;
  Check check;
  std::string_view name, title;
};
constexpr KindRow kKinds[] = {
    {Found::Race, Check::Race, "race", "race"},
    {Found::WarpSynchronous, Check::Race, "warp-synchronous", "race if a warp does not go in lockstep"},
    {Found::SameValue, Check::Race, "same-value", "race that changes no value"},
    {Found::DivergentBarrier, Check::Sync, "divergent-barrier", "threads meet at different barriers"},
    {Found::LeftBarrier, Check::Sync, "left-barrier", "threads have exited before a barrier for all"},
    {Found::NeverMet, Check::Sync, "never-met", "threads wait for others that never come"},
    {Found::CallerNotNamed, Check::Sync, "caller-not-named", "a member mask does not name the thread itself"},
    {Found::MasksDiffer, Check::Sync, "masks-differ", "threads that meet name different members"},
    {Found::UnwrittenRegister, Check::Init, "unwritten-register", "read of a register that was never written"},
    {Found::UnwrittenMemory, Check::Init, "unwritten-memory", "read of memory that nobody has written"},
    {Found::Leak, Check::Leak, "leak", "never freed"},
};

const KindRow& row_of(Found kind) {
  for (const KindRow& row : kKinds)
    if (row.kind == kind) return row;
  throw InternalError("a finding of no kind");
}

}  // namespace

Check check_of(Found kind) { return row_of(kind).check; }
std::string_view name_of(Found kind) { return row_of(kind).name; }
std::string_view title_of(Found kind) { return row_of(kind).title; }

std::string_view name_of(Check check) {
  switch (check) {
    case Check::Race: return "race";
    case Check::Sync: return "sync";
    case Check::Init: return "init";
    case Check::Leak: return "leak";
  }
  return "";
}

uint64_t harmful(const Findings& findings) {
  return static_cast<uint64_t>(
      std::count_if(findings.begin(), findings.end(), [](const Finding& finding) { return !finding.harmless(); }));
}

}  // namespace heddle::check

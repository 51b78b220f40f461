#include "divergence/registry.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "divergence/activity_counters.h"
#include "divergence/capri.h"
#include "divergence/dynamic_warp_formation.h"
#include "divergence/implicit_stack.h"
#include "divergence/lane_pcs.h"
#include "divergence/large_warp.h"
#include "divergence/lorie_strong.h"
#include "divergence/mask_stacks.h"
#include "divergence/pdom_stack.h"
#include "divergence/stackless.h"
#include "divergence/takahashi.h"
#include "divergence/tesla_stack.h"
#include "divergence/thread_block_compaction.h"
#include "divergence/warp_barrier.h"

namespace heddle {
namespace {

template <class M>
std::unique_ptr<Mechanism> make(Host& host, const Config&) {
  return std::make_unique<M>(host);
}

template <class M>
std::unique_ptr<Mechanism> make_configured(Host& host, const Config& config) {
  return std::make_unique<M>(host, config);
}

template <class M, bool recursion>
std::unique_ptr<Mechanism> make_structured(Host& host, const Config&) {
  return std::make_unique<M>(host, recursion);
}

constexpr MechanismRow kMechanisms[] = {
    {"pdom", "a stack per warp, reconvergence at immediate post-dominators (the baseline)", PdomStack::kKeys,
     &make_configured<PdomStack>},
    {"tesla", "as pdom, but every path spends an issue slot at its join (explicit stack)", {}, &make<TeslaStack>},
    {"tbc", "a stack per block: warps wait at branches and form new ones (thread block compaction)",
     ThreadBlockCompaction::kKeys, &ThreadBlockCompaction::make},
    {"tbc+", "as tbc, without waiting at branches that cannot part a block", ThreadBlockCompaction::kPlusKeys,
     &ThreadBlockCompaction::make_plus},
    {"tbc-ideal", "as tbc, but threads may change lane (no hardware has that)", ThreadBlockCompaction::kIdealKeys,
     &ThreadBlockCompaction::make_ideal},
    {"capri", "as tbc+, but warps wait at a branch only where a predictor says that it pays", Capri::kKeys,
     &make_configured<Capri>},
    {"lwm", "large warps with one stack each, issued as packed sub-warps (large warp microarchitecture)",
     LargeWarp::kKeys, &make_configured<LargeWarp>},
    {"stackless", "a PC per thread: the deepest call, then the lowest PC runs (no stack, no compiler)",
     Stackless::kKeys, &make_configured<Stackless>},
    {"implicit-stack",
     "a stack of addresses: the lower runs first, only the top is compared (SympA'13)",
     {},
     &make<ImplicitStack>},
    {"lorie-strong", "a PC per thread: the block that the compiler numbered lowest runs", {}, &make<LorieStrong>},
    {"takahashi",
     "a PC per thread, a unit that walks through empty paths too (activity known late)",
     {},
     &make<Takahashi>},
    {"dwf", "warps form anew after every instruction, from a pool of the core (dynamic warp formation)",
     DynamicWarpFormation::kKeys, &make_configured<DynamicWarpFormation>},
    {"dwf-wb", "as dwf, but a static warp that parted meets again at the branch's post-dominator (warp barrier)",
     DynamicWarpFormation::kKeys, &make_configured<WarpBarrier>},
    {"chap", "if and loop instructions, a mask stack for each (Pixar Chap)", {}, &make_structured<MaskStacks, false>},
    {"amd", "as chap, with recursion", {}, &make_structured<MaskStacks, true>},
    {"pomp", "if and loop instructions, an activity counter per thread", {}, &make_structured<ActivityCounters, true>},
    {"gma", "as pomp, without recursion (Intel GMA)", {}, &make_structured<ActivityCounters, false>},
    {"sandy-bridge",
     "if and loop instructions, a PC per thread that is compared at joins",
     {},
     &make_structured<LanePcs, false>},
    {"mimd",
     "the bound: every thread on its own, lanes never idle (emulation only)",
     {},
     &make_configured<Stackless>,
     true},
};

}  // namespace

std::span<const MechanismRow> mechanisms() { return kMechanisms; }

const MechanismRow& mechanism_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MechanismRow& row : kMechanisms) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw Error(ExitCode::Usage, fmt::format("no mechanism '{}'{} ({})", name, did_you_mean(name, names), joined(names)));
}

}  // namespace heddle

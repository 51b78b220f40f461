#include "divergence/registry.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "divergence/dynamic_warp_formation.h"
#include "divergence/large_warp.h"
#include "divergence/pdom_stack.h"
#include "divergence/stackless.h"
#include "divergence/thread_block_compaction.h"

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

constexpr MechanismRow kMechanisms[] = {
    {"pdom", "a stack per warp, reconvergence at immediate post-dominators (the baseline)", {}, &make<PdomStack>},
    {"tbc", "a stack per block: warps wait at branches and form new ones (thread block compaction)",
     ThreadBlockCompaction::kKeys, &make_configured<ThreadBlockCompaction>},
    {"lwm", "large warps with one stack each, issued as packed sub-warps (large warp microarchitecture)",
     LargeWarp::kKeys, &make_configured<LargeWarp>},
    {"stackless", "a PC per thread: the deepest call, then the lowest PC runs (no stack, no compiler)",
     Stackless::kKeys, &make_configured<Stackless>},
    {"dwf", "warps form anew after every instruction, from a pool of the core (dynamic warp formation)",
     DynamicWarpFormation::kKeys, &make_configured<DynamicWarpFormation>},
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

#include "divergence/registry.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "divergence/mechanisms/aware.h"
#include "divergence/mechanisms/capri.h"
#include "divergence/mechanisms/chap.h"
#include "divergence/mechanisms/dual_path.h"
#include "divergence/mechanisms/dwf.h"
#include "divergence/mechanisms/dwf_wb.h"
#include "divergence/mechanisms/dws.h"
#include "divergence/mechanisms/implicit_stack.h"
#include "divergence/mechanisms/its.h"
#include "divergence/mechanisms/lorie_strong.h"
#include "divergence/mechanisms/lwm.h"
#include "divergence/mechanisms/multi_path.h"
#include "divergence/mechanisms/pdom.h"
#include "divergence/mechanisms/pomp.h"
#include "divergence/mechanisms/sandy_bridge.h"
#include "divergence/mechanisms/sbi.h"
#include "divergence/mechanisms/stackless.h"
#include "divergence/mechanisms/subwarp_interleaving.h"
#include "divergence/mechanisms/swi.h"
#include "divergence/mechanisms/takahashi.h"
#include "divergence/mechanisms/tbc.h"
#include "divergence/mechanisms/tesla.h"
#include "divergence/mechanisms/thread_frontiers.h"
#include "divergence/mechanisms/vws.h"

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

// With the initial values of its parameters, whatever the machine says.
template <class M>
std::unique_ptr<Mechanism> make_usual(Host& host, const Config&) {
  return std::make_unique<M>(host, Config({std::begin(M::kKeys), std::end(M::kKeys)}));
}

template <class M, bool recursion>
std::unique_ptr<Mechanism> make_structured(Host& host, const Config&) {
  return std::make_unique<M>(host, recursion);
}

constexpr MechanismRow by_block(MechanismRow row) {
  row.by_block = true;
  return row;
}
constexpr MechanismRow interleaving(MechanismRow row) {
  row.interleaves = true;
  return row;
}
constexpr MechanismRow fair(MechanismRow row) {
  row.fair = true;
  return row;
}
constexpr MechanismRow bound(MechanismRow row) {
  row.bound = true;
  return row;
}

constexpr MechanismRow kMechanisms[] = {
    {"pdom", "a stack per warp, reconvergence at immediate post-dominators (the baseline)", Pdom::kKeys,
     &make_configured<Pdom>},
    {"tesla", "as pdom, but every path spends an issue slot at its join (explicit stack)", {}, &make<Tesla>},
    {"dual-path",
     "as pdom, but both paths of a branch go independently (a stack of pairs of paths)",
     {},
     &make<DualPath>},
    {"multi-path", "as pdom, but all paths of a warp go independently (tables of splits and of joins)",
     MultiPath::kKeys, &make_configured<MultiPath>},
    fair({"aware",
          "as multi-path, one path at a time in turns, with a time-out at joins: threads that spin let others by",
          Aware::kKeys, &make_configured<Aware>}),
    interleaving({"dws",
                  "as pdom, but paths of a branch and lanes that have their data go on by themselves (dynamic warp "
                  "subdivision)",
                  Dws::kKeys, &make_configured<Dws>}),
    by_block({"tbc", "a stack per block: warps wait at branches and form new ones (thread block compaction)",
              Tbc::kKeys, &Tbc::make}),
    by_block({"tbc+", "as tbc, without waiting at branches that cannot part a block", Tbc::kPlusKeys, &Tbc::make_plus}),
    by_block(
        {"tbc-ideal", "as tbc, but threads may change lane (no hardware has that)", Tbc::kIdealKeys, &Tbc::make_ideal}),
    by_block({"capri", "as tbc+, but warps wait at a branch only where a predictor says that it pays", Capri::kKeys,
              &make_configured<Capri>}),
    {"lwm", "large warps with one stack each, issued as packed sub-warps (large warp microarchitecture)", Lwm::kKeys,
     &make_configured<Lwm>},
    {"stackless", "a PC per thread: the deepest call, then the lowest PC runs (no stack, no compiler)",
     Stackless::kKeys, &make_configured<Stackless>},
    {"implicit-stack",
     "a stack of addresses: the lower runs first, only the top is compared (SympA'13)",
     {},
     &make<ImplicitStack>},
    {"lorie-strong", "a PC per thread: the block that the compiler numbered lowest runs", {}, &make<LorieStrong>},
    {"thread-frontiers", "as lorie-strong, with a sorted list of who waits where; threads meet as early as they can",
     ThreadFrontiers::kKeys, &ThreadFrontiers::make},
    {"takahashi",
     "a PC per thread, a unit that walks through empty paths too (activity known late)",
     {},
     &make<Takahashi>},
    interleaving({"dwf", "warps form anew after every instruction, from a pool of the core (dynamic warp formation)",
                  Dwf::kKeys, &make_configured<Dwf>}),
    interleaving({"dwf-wb",
                  "as dwf, but a static warp that diverged meets again at the branch's post-dominator (warp barrier)",
                  Dwf::kKeys, &make_configured<DwfWb>}),
    interleaving({"sbi",
                  "two paths of a warp go in one cycle, each on its own lanes (simultaneous branch interweaving)",
                  Sbi::kKeys, &make_configured<Sbi>}),
    interleaving(
        {"swi",
         "as stackless, and a second warp goes on lanes the first leaves free (simultaneous warp interweaving)",
         {},
         &make<Swi>}),
    interleaving(
        {"sbi+swi", "both: another path of the warp goes along, else another warp", Sbi::kKeys, &Sbi::make_with_warps}),
    {"chap", "if and loop instructions, a mask stack for each (Pixar Chap)", {}, &make_structured<Chap, false>},
    {"amd", "as chap, with recursion", {}, &make_structured<Chap, true>},
    {"pomp", "if and loop instructions, an activity counter per thread", {}, &make_structured<Pomp, true>},
    {"gma", "as pomp, without recursion (Intel GMA)", {}, &make_structured<Pomp, false>},
    {"sandy-bridge",
     "if and loop instructions, a PC per thread that is compared at joins",
     {},
     &make_structured<SandyBridge, false>},
    fair({"its", "convergence barriers, one group of threads at a time (NVIDIA since Volta)", Its::kKeys,
          &make_configured<Its>}),
    fair({"subwarp-interleaving", "as its, but threads that wait for memory make room for others of their warp",
          SubwarpInterleaving::kKeys, &make_configured<SubwarpInterleaving>}),
    interleaving({"vws", "slices of a few threads with a stack each, issued together while they agree (gangs)",
                  Vws::kKeys, &make_configured<Vws>}),
    bound(
        {"mimd", "the bound: every thread on its own, lanes never idle (emulation only)", {}, &make_usual<Stackless>}),
};

std::vector<MechanismRow>& all() {
  static std::vector<MechanismRow> rows(std::begin(kMechanisms), std::end(kMechanisms));
  return rows;
}

}  // namespace

std::span<const MechanismRow> mechanisms() { return all(); }
void add_mechanism(const MechanismRow& row) { all().push_back(row); }

const MechanismRow& mechanism_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MechanismRow& row : all()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw Error(ExitCode::Usage, fmt::format("no mechanism '{}'{} ({})", name, did_you_mean(name, names), joined(names)));
}

std::unique_ptr<Mechanism> make_mechanism(const MechanismRow& row, Host& host, const Config& config) {
  return row.make(host, config.only(row.keys));
}

}  // namespace heddle

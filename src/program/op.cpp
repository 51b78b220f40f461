#include "program/op.h"

#include <array>
#include <unordered_map>

namespace heddle {
namespace {

// In the order of Mod.
constexpr std::array<std::string_view, static_cast<size_t>(Mod::Count_)> kModNames = {
    "rn",
    "rna",
    "rz",
    "rm",
    "rp",
    "rni",
    "rzi",
    "rmi",
    "rpi",
    "ftz",
    "sat",
    "satfinite",
    "relu",
    "NaN",
    "xorsign",
    "abs",
    "approx",
    "full",
    "noftz",
    "oob",
    "lo",
    "hi",
    "wide",
    "cc",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "ls",
    "hs",
    "equ",
    "neu",
    "ltu",
    "leu",
    "gtu",
    "geu",
    "num",
    "nan",
    "and",
    "or",
    "xor",
    "popc",
    "finite",
    "infinite",
    "number",
    "notanumber",
    "normal",
    "subnormal",
    "shiftamt",
    "wrap",
    "clamp",
    "l",
    "r",
    "f4e",
    "b4e",
    "rc8",
    "ecl",
    "ecr",
    "rc16",
    "up",
    "down",
    "bfly",
    "idx",
    "all",
    "any",
    "uni",
    "ballot",
    "sync",
    "cas",
    "exch",
    "add",
    "inc",
    "dec",
    "min",
    "max",
    "global",
    "const",
    "shared",
    "shared::cta",
    "local",
    "param",
    "param::entry",
    "param::func",
    "to",
    "v2",
    "v4",
    "v8",
    "weak",
    "volatile",
    "relaxed",
    "acquire",
    "release",
    "acq_rel",
    "sc",
    "mmio",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "gl",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L1::no_allocate",
    "L2::evict_first",
    "L2::evict_last",
    "L2::evict_normal",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "L2::cache_hint",
    "aligned",
    "arrive",
    "red",
    "warp",
    "cooperative",
    "async",
    "proxy",
    "alias",
    "generic",
    "noComplete",
    "arrive_drop",
    "expect_tx",
    "parity",
    "noinc",
    "fractional",
    "commit_group",
    "wait_group",
    "wait_all",
    "L1",
    "L2",
    "init",
    "inval",
    "test_wait",
    "try_wait",
    "pending_count",
    "pack",
    "shr7",
    "shr15",
    "po",
    "wait",
    "launch_dependents",
    "mbarrier_init",
    "1d",
    "2d",
    "3d",
    "a1d",
    "a2d",
    "cube",
    "acube",
    "base",
    "level",
    "grad",
    "g",
    "trap",
    "zero",
    "width",
    "height",
    "depth",
    "array_size",
    "num_mipmap_levels",
    "normalized_coords",
    "channel_data_type",
    "channel_order",
    "row",
    "col",
    "row.row",
    "row.col",
    "col.row",
    "col.col",
    "m8n8",
    "m8n8k4",
    "m8n8k16",
    "m8n8k32",
    "m8n8k128",
    "m16n8k4",
    "m16n8k8",
    "m16n8k16",
    "m16n8k32",
    "m16n8k64",
    "m16n8k128",
    "m16n8k256",
    "m16n16k16",
    "m32n8k16",
    "m8n32k16",
    "m16n16k8",
    "x1",
    "x2",
    "x4",
    "trans",
    "load",
    "store",
    "mma",
    "a",
    "b",
    "c",
    "d",
    "complete_tx",
    "bulk",
    "bulk_group",
    "mbarrier::complete_tx::bytes",
    "shared::cluster",
    "read",
    "mbarrier",
    "reduce",
    "prefetch",
};

}  // namespace

Flow flow_of(Op op) {
  switch (op) {
    case Op::Bra:
    case Op::Brx:
    case Op::Call:
    case Op::Ret:
    case Op::Exit: return Flow::Branch;
    case Op::BarSync:
    case Op::BarRed:
    case Op::BarArrive: return Flow::Barrier;
    case Op::Shfl:
    case Op::Vote:
    case Op::Match:
    case Op::Redux:
    case Op::Elect:
    case Op::WarpSync:
    case Op::LdMatrix:
    case Op::StMatrix:
    case Op::WmmaLoad:
    case Op::WmmaStore:
    case Op::WmmaMma:
    case Op::Mma:
    case Op::MovMatrix:
    case Op::RowsToFragments:
    case Op::FragmentsToRows: return Flow::Sync;
    default: return Flow::Plain;
  }
}

bool is_on_matrices(Op op) {
  return op == Op::Mma || op == Op::MovMatrix || op == Op::RowsToFragments || op == Op::FragmentsToRows;
}

std::optional<Mod> mod_named(std::string_view text) {
  static const auto names = [] {
    std::unordered_map<std::string_view, Mod> map;
    for (size_t i = 0; i < kModNames.size(); ++i) map.emplace(kModNames[i], static_cast<Mod>(i));
    return map;
  }();
  const auto found = names.find(text);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

std::string_view name_of(Mod mod) { return kModNames[static_cast<size_t>(mod)]; }

}  // namespace heddle

#include "program/isa.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace heddle {
namespace {

using ptx::Type;

struct Group {
  std::string_view name;
  std::vector<std::string_view> members;
};

// Choices that many instructions share.
const std::vector<Group>& groups() {
  static const std::vector<Group> table = {
      {"@rnd", {"rn", "rz", "rm", "rp"}},
      {"@irnd", {"rni", "rzi", "rmi", "rpi"}},
      {"@cmp", {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"}},
      {"@fcmp", {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}},
      {"@vcmp", {"eq", "ne", "lt", "le", "gt", "ge"}},
      {"@bool", {"and", "or", "xor"}},
      {"@ldspace", {"global", "const", "shared", "shared::cta", "local", "param", "param::entry", "param::func"}},
      {"@stspace", {"global", "shared", "shared::cta", "local", "param", "param::func"}},
      {"@atspace", {"global", "shared", "shared::cta"}},
      {"@sem", {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"}},
      {"@scope", {"cta", "cluster", "gpu", "sys"}},
      {"@cop", {"ca", "cg", "cs", "lu", "cv", "wb", "wt"}},
      {"@evict", {"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"}},
      {"@evict2", {"L2::evict_first", "L2::evict_last", "L2::evict_normal"}},
      {"@l2", {"L2::64B", "L2::128B", "L2::256B"}},
      {"@vec", {"v2", "v4", "v8"}},
      {"@testp", {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}},
      {"@prmt", {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}},
      {"@image", {"width", "height", "depth", "array_size", "channel_data_type", "channel_order"}},
      {"@mbspace", {"shared", "shared::cta"}},
      {"@layouts", {"row.row", "row.col", "col.row", "col.col"}},
      {"@wmma", {"m16n16k16", "m32n8k16", "m8n32k16"}},
  };
  return table;
}

#define VIDEO "u32,s32"
#define INTS "u8,u16,u32,u64,s8,s16,s32,s64"

// clang-format off
constexpr Form kForms[] = {
  // integer arithmetic
  {"add", Op::Add, "", "u16 u32 u64 s16 s64 u16x2 s16x2", "=t t t"},
  {"add", Op::Add, "sat?", "s32", "=t t t"},
  {"sub", Op::Sub, "", "u16 u32 u64 s16 s64 u16x2 s16x2", "=t t t"},
  {"sub", Op::Sub, "sat?", "s32", "=t t t"},
  {"add", Op::AddCarry, "cc", "u32 s32 u64 s64", "=t =C t t"},
  {"addc", Op::AddCarry, "", "u32 s32 u64 s64", "=t t t C"},
  {"addc", Op::AddCarry, "cc", "u32 s32 u64 s64", "=t =C t t C"},
  {"sub", Op::SubCarry, "cc", "u32 s32 u64 s64", "=t =C t t"},
  {"subc", Op::SubCarry, "", "u32 s32 u64 s64", "=t t t C"},
  {"subc", Op::SubCarry, "cc", "u32 s32 u64 s64", "=t =C t t C"},
  {"mul", Op::Mul, "lo/hi", "u16 u32 u64 s16 s32 s64", "=t t t"},
  {"mul", Op::Mul, "wide", "u16 u32 s16 s32", "=w t t"},
  {"mad", Op::Mad, "lo/hi", "u16 u32 u64 s16 s32 s64", "=t t t t"},
  {"mad", Op::Mad, "hi sat", "s32", "=t t t t"},
  {"mad", Op::Mad, "wide", "u16 u32 s16 s32", "=w t t w"},
  {"mad", Op::MadCarry, "lo/hi cc", "u32 s32 u64 s64", "=t =C t t t"},
  {"madc", Op::MadCarry, "lo/hi", "u32 s32 u64 s64", "=t t t t C"},
  {"madc", Op::MadCarry, "lo/hi cc", "u32 s32 u64 s64", "=t =C t t t C"},
  {"mul24", Op::Mul24, "lo/hi", "u32 s32", "=t t t"},
  {"mad24", Op::Mad24, "lo/hi", "u32 s32", "=t t t t"},
  {"mad24", Op::Mad24, "hi sat", "s32", "=t t t t"},
  {"sad", Op::Sad, "", "u16 u32 u64 s16 s32 s64", "=t t t t"},
  {"div", Op::Div, "", "u16 u32 u64 s16 s32 s64", "=t t t"},
  {"rem", Op::Rem, "", "u16 u32 u64 s16 s32 s64", "=t t t"},
  {"abs", Op::Abs, "", "s16 s32 s64", "=t t"},
  {"neg", Op::Neg, "", "s16 s32 s64", "=t t"},
  {"min", Op::Min, "", "u16 u32 u64 u16x2 s16 s64", "=t t t"},
  {"min", Op::Min, "relu?", "s16x2 s32", "=t t t"},
  {"max", Op::Max, "", "u16 u32 u64 u16x2 s16 s64", "=t t t"},
  {"max", Op::Max, "relu?", "s16x2 s32", "=t t t"},
  {"dp4a", Op::Dp4a, "", "u32,s32<u32,s32", "=4 4 4 4"},
  {"dp2a", Op::Dp2a, "lo/hi", "u32,s32<u32,s32", "=4 4 4 4"},
  // bits
  {"popc", Op::Popc, "", "b32 b64", "=4 t"},
  {"clz", Op::Clz, "", "b32 b64", "=4 t"},
  {"bfind", Op::Bfind, "shiftamt?", "u32 u64 s32 s64", "=4 t"},
  {"fns", Op::Fns, "", "b32", "=4 4 4 4"},
  {"brev", Op::Brev, "", "b32 b64", "=t t"},
  {"bfe", Op::Bfe, "", "u32 u64 s32 s64", "=t t 4 4"},
  {"bfi", Op::Bfi, "", "b32 b64", "=t t t 4 4"},
  {"szext", Op::Szext, "wrap/clamp", "u32 s32", "=t t 4"},
  {"bmsk", Op::Bmsk, "wrap/clamp", "b32", "=4 4 4"},
  {"and", Op::And, "", "pred b16 b32 b64", "=t t t"},
  {"or", Op::Or, "", "pred b16 b32 b64", "=t t t"},
  {"xor", Op::Xor, "", "pred b16 b32 b64", "=t t t"},
  {"not", Op::Not, "", "pred b16 b32 b64", "=t t"},
  {"cnot", Op::Cnot, "", "b16 b32 b64", "=t t"},
  {"lop3", Op::Lop3, "", "b32", "=4 4 4 4 4"},
  {"lop3", Op::Lop3, "and/or", "b32", "=4|p 4 4 4 4 p"},
  {"shf", Op::Shf, "l/r wrap/clamp", "b32", "=4 4 4 4"},
  {"shl", Op::Shl, "", "b16 b32 b64", "=t t 4"},
  {"shr", Op::Shr, "", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "=t t 4"},
  {"prmt", Op::Prmt, "@prmt?", "b32", "=4 4 4 4"},
  // video
  {"vadd", Op::VideoAdd, "sat?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4?"},
  {"vadd", Op::VideoAdd, "sat? add/min/max", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vsub", Op::VideoSub, "sat?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4?"},
  {"vsub", Op::VideoSub, "sat? add/min/max", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vabsdiff", Op::VideoAbsDiff, "sat?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4?"},
  {"vabsdiff", Op::VideoAbsDiff, "sat? add/min/max", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vmin", Op::VideoMin, "sat?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4?"},
  {"vmin", Op::VideoMin, "sat? add/min/max", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vmax", Op::VideoMax, "sat?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4?"},
  {"vmax", Op::VideoMax, "sat? add/min/max", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vshl", Op::VideoShl, "sat? wrap/clamp", VIDEO "<" VIDEO "<u32", "=v v v 4?"},
  {"vshl", Op::VideoShl, "sat? wrap/clamp add/min/max", VIDEO "<" VIDEO "<u32", "=v v v 4"},
  {"vshr", Op::VideoShr, "sat? wrap/clamp", VIDEO "<" VIDEO "<u32", "=v v v 4?"},
  {"vshr", Op::VideoShr, "sat? wrap/clamp add/min/max", VIDEO "<" VIDEO "<u32", "=v v v 4"},
  {"vset", Op::VideoSet, "@vcmp", VIDEO "<" VIDEO, "=v v v 4?"},
  {"vset", Op::VideoSet, "@vcmp add/min/max", VIDEO "<" VIDEO, "=v v v 4"},
  {"vmad", Op::VideoMad, "sat? shr7/shr15? po?", VIDEO "<" VIDEO "<" VIDEO, "=4 v v v"},
  {"vadd2", Op::VideoAdd, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vsub2", Op::VideoSub, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vavrg2", Op::VideoAverage, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vabsdiff2", Op::VideoAbsDiff, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vmin2", Op::VideoMin, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vmax2", Op::VideoMax, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vset2", Op::VideoSet, "@vcmp add?", VIDEO "<" VIDEO, "=v v v 4"},
  {"vadd4", Op::VideoAdd, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vsub4", Op::VideoSub, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vavrg4", Op::VideoAverage, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vabsdiff4", Op::VideoAbsDiff, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vmin4", Op::VideoMin, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vmax4", Op::VideoMax, "sat/add?", VIDEO "<" VIDEO "<" VIDEO, "=v v v 4"},
  {"vset4", Op::VideoSet, "@vcmp add?", VIDEO "<" VIDEO, "=v v v 4"},
  // floating point
  {"add", Op::Add, "@rnd? ftz? sat?", "f32", "=t t t"},
  {"sub", Op::Sub, "@rnd? ftz? sat?", "f32", "=t t t"},
  {"mul", Op::Mul, "@rnd? ftz? sat?", "f32", "=t t t"},
  {"add", Op::Add, "@rnd?", "f64", "=t t t"},
  {"sub", Op::Sub, "@rnd?", "f64", "=t t t"},
  {"mul", Op::Mul, "@rnd?", "f64", "=t t t"},
  {"add", Op::Add, "rn? ftz? sat?", "f16 f16x2", "=t t t"},
  {"sub", Op::Sub, "rn? ftz? sat?", "f16 f16x2", "=t t t"},
  {"mul", Op::Mul, "rn? ftz? sat?", "f16 f16x2", "=t t t"},
  {"add", Op::Add, "rn?", "bf16 bf16x2", "=t t t"},
  {"sub", Op::Sub, "rn?", "bf16 bf16x2", "=t t t"},
  {"mul", Op::Mul, "rn?", "bf16 bf16x2", "=t t t"},
  {"add", Op::Add, "@rnd? sat?", "f32<f16,bf16", "=t s t"},
  {"sub", Op::Sub, "@rnd? sat?", "f32<f16,bf16", "=t s t"},
  {"fma", Op::Fma, "@rnd sat?", "f32<f16,bf16", "=t s s t"},
  {"fma", Op::Fma, "@rnd ftz? sat?", "f32", "=t t t t"},
  {"fma", Op::Fma, "@rnd", "f64", "=t t t t"},
  {"fma", Op::Fma, "rn ftz? sat?", "f16 f16x2", "=t t t t"},
  {"fma", Op::Fma, "rn ftz? relu", "f16 f16x2", "=t t t t"},
  {"fma", Op::Fma, "rn relu?", "bf16 bf16x2", "=t t t t"},
  {"fma", Op::Fma, "rn oob relu?", "f16 f16x2 bf16 bf16x2", "=t t t t"},
  {"mad", Op::Fma, "@rnd? ftz? sat?", "f32", "=t t t t"},
  {"mad", Op::Fma, "@rnd", "f64", "=t t t t"},
  {"div", Op::Div, "@rnd/approx/full ftz?", "f32", "=t t t"},
  {"div", Op::Div, "@rnd", "f64", "=t t t"},
  {"abs", Op::Abs, "ftz?", "f32 f16 f16x2", "=t t"},
  {"abs", Op::Abs, "", "f64 bf16 bf16x2", "=t t"},
  {"neg", Op::Neg, "ftz?", "f32 f16 f16x2", "=t t"},
  {"neg", Op::Neg, "", "f64 bf16 bf16x2", "=t t"},
  {"min", Op::Min, "ftz? NaN? xorsign? abs?", "f32", "=t t t t?"},
  {"max", Op::Max, "ftz? NaN? xorsign? abs?", "f32", "=t t t t?"},
  {"min", Op::Min, "", "f64", "=t t t"},
  {"max", Op::Max, "", "f64", "=t t t"},
  {"min", Op::Min, "ftz? NaN? xorsign? abs?", "f16 f16x2", "=t t t"},
  {"max", Op::Max, "ftz? NaN? xorsign? abs?", "f16 f16x2", "=t t t"},
  {"min", Op::Min, "NaN? xorsign? abs?", "bf16 bf16x2", "=t t t"},
  {"max", Op::Max, "NaN? xorsign? abs?", "bf16 bf16x2", "=t t t"},
  {"rcp", Op::Rcp, "@rnd/approx ftz?", "f32", "=t t"},
  {"rcp", Op::Rcp, "@rnd", "f64", "=t t"},
  {"rcp", Op::Rcp, "approx ftz", "f64", "=t t"},
  {"sqrt", Op::Sqrt, "@rnd/approx ftz?", "f32", "=t t"},
  {"sqrt", Op::Sqrt, "@rnd", "f64", "=t t"},
  {"rsqrt", Op::Rsqrt, "approx ftz?", "f32 f64", "=t t"},
  {"sin", Op::Sin, "approx ftz?", "f32", "=t t"},
  {"cos", Op::Cos, "approx ftz?", "f32", "=t t"},
  {"lg2", Op::Lg2, "approx ftz?", "f32", "=t t"},
  {"ex2", Op::Ex2, "approx ftz?", "f32", "=t t"},
  {"ex2", Op::Ex2, "approx", "f16 f16x2", "=t t"},
  {"ex2", Op::Ex2, "approx ftz", "bf16 bf16x2", "=t t"},
  {"tanh", Op::Tanh, "approx", "f32 f16 f16x2 bf16 bf16x2", "=t t"},
  {"copysign", Op::CopySign, "", "f32 f64", "=t t t"},
  {"testp", Op::Testp, "@testp", "f32 f64", "=p t"},
  // comparison and selection
  {"setp", Op::Setp, "@cmp", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "=p|p? t t"},
  {"setp", Op::Setp, "@cmp @bool", "b16 b32 b64 u16 u32 u64 s16 s32 s64", "=p|p? t t p"},
  {"setp", Op::Setp, "@fcmp ftz?", "f32 f64 f16 f16x2 bf16 bf16x2", "=p|p? t t"},
  {"setp", Op::Setp, "@fcmp @bool ftz?", "f32 f64 f16 f16x2 bf16 bf16x2", "=p|p? t t p"},
  {"set", Op::Set, "@cmp", "u32,s32,f32,f16,bf16<b16,b32,b64,u16,u32,u64,s16,s32,s64", "=t s s"},
  {"set", Op::Set, "@cmp @bool", "u32,s32,f32,f16,bf16<b16,b32,b64,u16,u32,u64,s16,s32,s64", "=t s s p"},
  {"set", Op::Set, "@fcmp ftz?", "u32,s32,f32,f16,bf16<f32,f64", "=t s s"},
  {"set", Op::Set, "@fcmp @bool ftz?", "u32,s32,f32,f16,bf16<f32,f64", "=t s s p"},
  {"set", Op::Set, "@fcmp ftz?", "u16,s16,u32,s32,f16,bf16<f16 u16,s16,u32,s32,bf16<bf16 f16x2,u32,s32<f16x2 bf16x2,u32,s32<bf16x2", "=t s s"},
  {"set", Op::Set, "@fcmp @bool ftz?", "u16,s16,u32,s32,f16,bf16<f16 u16,s16,u32,s32,bf16<bf16 f16x2,u32,s32<f16x2 bf16x2,u32,s32<bf16x2", "=t s s p"},
  {"selp", Op::Selp, "", "b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64", "=t t t p"},
  {"slct", Op::Slct, "", "b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64<s32", "=t t t s"},
  {"slct", Op::Slct, "ftz?", "b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64<f32", "=t t t s"},
  // conversion
  {"cvt", Op::Cvt, "sat?", INTS "<" INTS, "=t s"},
  {"cvt", Op::Cvt, "@rnd sat?", "f16,bf16,f64<" INTS, "=t s"},
  {"cvt", Op::Cvt, "@rnd ftz? sat?", "f32<" INTS, "=t s"},
  {"cvt", Op::Cvt, "@irnd sat?", INTS "<f16,bf16,f64", "=t s"},
  {"cvt", Op::Cvt, "@irnd ftz? sat?", INTS "<f32", "=t s"},
  {"cvt", Op::Cvt, "@irnd? sat?", "f16<f16 bf16<bf16 f64<f64", "=t s"},
  {"cvt", Op::Cvt, "@irnd? ftz? sat?", "f32<f32", "=t s"},
  {"cvt", Op::Cvt, "ftz? sat?", "f32<f16 f64<f32 f64<f16", "=t s"},
  {"cvt", Op::Cvt, "@rnd? ftz? sat?", "f32,f64<bf16", "=t s"},
  {"cvt", Op::Cvt, "@rnd ftz? sat? relu? satfinite?", "f16,bf16<f32 f32<f64 f16,bf16<f64 bf16<f16 f16<bf16", "=t s"},
  {"cvt", Op::Cvt, "rn/rz relu? satfinite?", "f16x2,bf16x2<f32", "=t s s"},
  {"cvt", Op::Cvt, "rn/rna/rz relu? satfinite?", "tf32<f32", "=t s"},
  {"cvt", Op::Cvt, "rn satfinite relu?", "e4m3x2,e5m2x2<f32", "=t s s"},
  {"cvt", Op::Cvt, "rn satfinite relu?", "e4m3x2,e5m2x2<f16x2", "=t s"},
  {"cvt", Op::Cvt, "rn relu?", "f16x2<e4m3x2,e5m2x2", "=t s"},
  {"cvt", Op::CvtPack, "pack sat", "u16,s16<s32", "=4 s s"},
  {"cvt", Op::CvtPack, "pack sat", "u8,s8,u4,s4,u2,s2<s32<b32", "=4 s s 4"},
  // moves and addresses
  {"mov", Op::Mov, "", "pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64", "=t t"},
  {"cvta", Op::CvtaFrom, "global/const/shared/shared::cta/local/param", "u32 u64", "=t t"},
  {"cvta", Op::CvtaTo, "to global/const/shared/shared::cta/local/param", "u32 u64", "=t t"},
  {"isspacep", Op::IsSpace, "global/const/shared/shared::cta/local/param/param::entry", "", "=p P"},
  {"alloca", Op::Alloca, "", "u32 u64", "=t t 4?"},
  {"stacksave", Op::StackSave, "", "u32 u64", "=t"},
  {"stackrestore", Op::StackRestore, "", "u32 u64", "t"},
  // memory
  {"ld", Op::Ld, "@sem? @scope? @ldspace? @cop? @evict? @evict2? @l2? nc? L2::cache_hint? @vec?",
   "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64", "=V A x?"},
  {"ldu", Op::Ld, "global? @vec?", "b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64", "=V A"},
  {"st", Op::St, "@sem? @scope? @stspace? @cop? @evict? @evict2? L2::cache_hint? @vec?",
   "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64", "A V x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? and/or/xor/exch L2::cache_hint?", "b32 b64", "=t A t x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? exch L2::cache_hint?", "b128", "=t A t x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? cas L2::cache_hint?", "b16 b32 b64 b128", "=t A t t x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? add L2::cache_hint?", "u32 s32 u64 s64 f32 f64", "=t A t x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? inc/dec L2::cache_hint?", "u32", "=t A t x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? min/max L2::cache_hint?", "u32 s32 u64 s64", "=t A t x?"},
  {"atom", Op::Atom, "@sem? @scope? @atspace? add noftz L2::cache_hint?", "f16 f16x2 bf16 bf16x2", "=t A t x?"},
  {"atom", Op::Atom, "@sem? @scope? global? add @vec L2::cache_hint?", "f32", "=V A V x?"},
  {"atom", Op::Atom, "@sem? @scope? global? add/min/max noftz @vec L2::cache_hint?", "f16 f16x2 bf16 bf16x2", "=V A V x?"},
  {"red", Op::Red, "@sem? @scope? @atspace? and/or/xor L2::cache_hint?", "b32 b64", "A t x?"},
  {"red", Op::Red, "@sem? @scope? @atspace? add L2::cache_hint?", "u32 s32 u64 s64 f32 f64", "A t x?"},
  {"red", Op::Red, "@sem? @scope? @atspace? inc/dec L2::cache_hint?", "u32", "A t x?"},
  {"red", Op::Red, "@sem? @scope? @atspace? min/max L2::cache_hint?", "u32 s32 u64 s64", "A t x?"},
  {"red", Op::Red, "@sem? @scope? @atspace? add noftz L2::cache_hint?", "f16 f16x2 bf16 bf16x2", "A t x?"},
  {"red", Op::Red, "@sem? @scope? global? add @vec L2::cache_hint?", "f32", "A V x?"},
  {"red", Op::Red, "@sem? @scope? global? add/min/max noftz @vec L2::cache_hint?", "f16 f16x2 bf16 bf16x2", "A V x?"},
  {"cp", Op::CpAsync, "async ca/cg shared/shared::cta global @l2? L2::cache_hint?", "", "A A 4 4? x?"},
  {"tex", Op::Tex, "base? 1d/2d/3d/a1d/a2d v4", "f32<f32 u32<f32 s32<f32 f32<s32 u32<s32 s32<s32", "=V|p? X"},
  {"tex", Op::Tex, "base? cube/acube v4", "f32<f32 u32<f32 s32<f32", "=V|p? X"},
  {"tex", Op::Tex, "level 1d/2d/3d/a1d/a2d v4", "f32<f32 u32<f32 s32<f32 f32<s32 u32<s32 s32<s32", "=V|p? X s"},
  {"tex", Op::Tex, "level cube/acube v4", "f32<f32 u32<f32 s32<f32", "=V|p? X s"},
  {"tex", Op::Tex, "grad 1d/2d/3d/a1d/a2d/cube/acube v4", "f32<f32 u32<f32 s32<f32", "=V|p? X G G"},
  {"tld4", Op::Gather, "r/g/b/a 2d/a2d/cube/acube v4", "f32<f32 u32<f32 s32<f32", "=V|p? X"},
  {"txq", Op::QueryTexture, "@image/num_mipmap_levels/normalized_coords", "b32", "=4 A"},
  {"txq", Op::QueryTexture, "level width/height/depth", "b32", "=4 A 4"},
  {"suq", Op::QuerySurface, "@image", "b32", "=4 A"},
  {"suld", Op::SurfaceLoad, "b 1d/2d/3d/a1d/a2d @cop? v2/v4? trap/clamp/zero", "b8 b16 b32 b64", "=V X"},
  {"sust", Op::SurfaceStore, "b 1d/2d/3d/a1d/a2d @cop? v2/v4? trap/clamp/zero", "b8 b16 b32 b64", "X V"},
  {"cp", Op::CpBulk, "async bulk shared::cluster/shared::cta global mbarrier::complete_tx::bytes L2::cache_hint?", "", "A A 4 A x?"},
  {"cp", Op::CpBulk, "async bulk global shared::cta bulk_group L2::cache_hint?", "", "A A 4 x?"},
  {"cp", Op::CpBulk, "reduce async bulk global shared::cta bulk_group add L2::cache_hint?", "u32 s32 u64 f32 f64", "A A 4 x?"},
  {"cp", Op::CpBulk, "reduce async bulk global shared::cta bulk_group inc/dec L2::cache_hint?", "u32", "A A 4 x?"},
  {"cp", Op::CpBulk, "reduce async bulk global shared::cta bulk_group min/max L2::cache_hint?", "u32 s32 u64 s64", "A A 4 x?"},
  {"cp", Op::CpBulk, "reduce async bulk global shared::cta bulk_group @bool L2::cache_hint?", "b32 b64", "A A 4 x?"},
  {"cp", Op::CpArrive, "async mbarrier arrive noinc? @mbspace?", "b64", "A"},
  {"cp", Op::Hint, "async bulk commit_group", "", ""},
  {"cp", Op::Hint, "async bulk wait_group read?", "", "4"},
  {"cp", Op::Hint, "async bulk prefetch L2 global L2::cache_hint?", "", "x x x?"},
  {"cp", Op::Hint, "async commit_group", "", ""},
  {"cp", Op::Hint, "async wait_all", "", ""},
  {"cp", Op::Hint, "async wait_group", "", "4"},
  {"prefetch", Op::Hint, "global/local/const/param? L1/L2/L2::evict_last/L2::evict_normal?", "", "x"},
  {"prefetchu", Op::Hint, "L1", "", "x"},
  {"discard", Op::Hint, "global? L2", "", "x x"},
  {"applypriority", Op::Hint, "global? L2::evict_normal", "", "x x"},
  {"createpolicy", Op::CreatePolicy, "fractional @evict2", "b64", "=8 x?"},
  {"membar", Op::Fence, "cta/gl/sys", "", ""},
  {"fence", Op::Fence, "sc/acq_rel/acquire/release? @scope?", "", ""},
  {"fence", Op::Fence, "proxy alias/async/generic", "", ""},
  {"fence", Op::Fence, "proxy async global/shared::cta", "", ""},
  {"fence", Op::Fence, "mbarrier_init release cluster", "", ""},
  {"mbarrier", Op::MbarInit, "init @mbspace?", "b64", "A 4"},
  {"mbarrier", Op::MbarInval, "inval @mbspace?", "b64", "A"},
  {"mbarrier", Op::MbarArrive, "arrive/arrive_drop noComplete? release/relaxed? cta? @mbspace?", "b64", "=8 A 4?"},
  {"mbarrier", Op::MbarArrive, "arrive/arrive_drop expect_tx release/relaxed? cta? @mbspace?", "b64", "=8 A 4"},
  {"mbarrier", Op::MbarTx, "expect_tx/complete_tx relaxed? cta? @mbspace?", "b64", "A 4"},
  {"mbarrier", Op::MbarTest, "test_wait/try_wait acquire/relaxed? cta? parity? @mbspace?", "b64", "=p A 8 x?"},
  {"mbarrier", Op::MbarPending, "pending_count", "b64", "=4 8"},
  // warp-wide
  {"shfl", Op::Shfl, "sync up/down/bfly/idx", "b32", "=4|p? 4 4 4 4"},
  {"vote", Op::Vote, "sync all/any/uni", "pred", "=p p 4"},
  {"vote", Op::Vote, "sync ballot", "b32", "=4 p 4"},
  {"vote", Op::VoteNow, "all/any/uni", "pred", "=p p"},
  {"vote", Op::VoteNow, "ballot", "b32", "=4 p"},
  {"match", Op::Match, "any sync", "b32 b64", "=4 t 4"},
  {"match", Op::Match, "all sync", "b32 b64", "=4|p? t 4"},
  {"redux", Op::Redux, "sync add/min/max", "u32 s32", "=4 4 4"},
  {"redux", Op::Redux, "sync and/or/xor", "b32", "=4 4 4"},
  {"redux", Op::Redux, "sync min/max abs? NaN?", "f32", "=4 4 4"},
  {"activemask", Op::ActiveMask, "", "b32", "=4"},
  {"elect", Op::Elect, "sync", "", "=4|p 4"},
  {"bar", Op::WarpSync, "warp sync", "", "4"},
  // matrices
  {"mma", Op::Mma, "sync aligned @layouts m8n8k4", "f16<f16<f16<f16 f32<f16<f16<f16 f32<f16<f16<f32", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m16n8k8/m16n8k16", "f16<f16<f16<f16 f32<f16<f16<f32 f32<bf16<bf16<f32", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m16n8k4/m16n8k8", "f32<tf32<tf32<f32", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m16n8k32", "f32<e4m3,e5m2<e4m3,e5m2<f32", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m8n8k4/m16n8k4/m16n8k8/m16n8k16 @rnd?", "f64<f64<f64<f64", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m8n8k16/m16n8k16/m16n8k32 satfinite?", "s32<s8,u8<s8,u8<s32", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m8n8k32/m16n8k32/m16n8k64 satfinite?", "s32<s4,u4<s4,u4<s32", "=M M M M"},
  {"mma", Op::Mma, "sync aligned row.col m8n8k128/m16n8k128/m16n8k256 xor/and popc", "s32<b1<b1<s32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned @layouts @wmma", "f16<f16 f16<f32 f32<f16 f32<f32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned @layouts @wmma", "f32<bf16<bf16<f32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned @layouts m16n16k8", "f32<tf32<tf32<f32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned @layouts @wmma satfinite?", "s32<s8<s8<s32 s32<u8<u8<s32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned row.col m8n8k32 satfinite?", "s32<s4<s4<s32 s32<u4<u4<s32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned row.col m8n8k128 xor/and popc", "s32<b1<b1<s32", "=M M M M"},
  {"wmma", Op::WmmaMma, "mma sync aligned @layouts m8n8k4 @rnd?", "f64<f64<f64<f64", "=M M M M"},
  {"wmma", Op::WmmaLoad, "load a/b/c sync aligned row/col @wmma @atspace?", "f16 bf16 u8 s8 f32 s32", "=M A 4?"},
  {"wmma", Op::WmmaLoad, "load a/b/c sync aligned row/col m16n16k8 @atspace?", "tf32 f32", "=M A 4?"},
  {"wmma", Op::WmmaLoad, "load a/b/c sync aligned row/col m8n8k32 @atspace?", "s4 u4 s32", "=M A 4?"},
  {"wmma", Op::WmmaLoad, "load a/b/c sync aligned row/col m8n8k128 @atspace?", "b1 s32", "=M A 4?"},
  {"wmma", Op::WmmaLoad, "load a/b/c sync aligned row/col m8n8k4 @atspace?", "f64", "=M A 4?"},
  {"wmma", Op::WmmaStore, "store d sync aligned row/col @wmma @atspace?", "f16 f32 s32", "A M 4?"},
  {"wmma", Op::WmmaStore, "store d sync aligned row/col m16n16k8 @atspace?", "f32", "A M 4?"},
  {"wmma", Op::WmmaStore, "store d sync aligned row/col m8n8k32/m8n8k128 @atspace?", "s32", "A M 4?"},
  {"wmma", Op::WmmaStore, "store d sync aligned row/col m8n8k4 @atspace?", "f64", "A M 4?"},
  {"ldmatrix", Op::LdMatrix, "sync aligned m8n8 x1/x2/x4 trans? @mbspace?", "b16", "=M A"},
  {"stmatrix", Op::StMatrix, "sync aligned m8n8 x1/x2/x4 trans? @mbspace?", "b16", "A M"},
  {"movmatrix", Op::MovMatrix, "sync aligned m8n8 trans", "b16", "=4 4"},
  // block-wide
  {"bar", Op::BarSync, "cta? sync aligned?", "", "4 4?"},
  {"bar", Op::BarArrive, "cta? arrive aligned?", "", "4 4"},
  {"bar", Op::BarRed, "cta? red popc aligned?", "u32", "=4 4 4? p"},
  {"bar", Op::BarRed, "cta? red and/or aligned?", "pred", "=p 4 4? p"},
  {"barrier", Op::BarSync, "cta? sync aligned?", "", "4 4?"},
  {"barrier", Op::BarArrive, "cta? arrive aligned?", "", "4 4"},
  {"barrier", Op::BarRed, "cta? red popc aligned?", "u32", "=4 4 4? p"},
  {"barrier", Op::BarRed, "cta? red and/or aligned?", "pred", "=p 4 4? p"},
  // control
  {"bra", Op::Bra, "uni?", "", "L"},
  {"brx", Op::Brx, "idx uni?", "", "4 T"},
  {"call", Op::Call, "uni?", "", "f"},
  {"ret", Op::Ret, "uni?", "", ""},
  {"exit", Op::Exit, "", "", ""},
  {"trap", Op::Trap, "", "", ""},
  {"brkpt", Op::Trap, "", "", ""},
  {"nanosleep", Op::Sleep, "", "u32", "4"},
  {"griddepcontrol", Op::Hint, "wait/launch_dependents", "", ""},
  {"setmaxnreg", Op::Hint, "inc/dec sync aligned", "u32", "x"},
  {"pmevent", Op::Hint, "", "", "x"},
};
// clang-format on

#undef INTS
#undef VIDEO

// Instructions that PTX has and heddle has not, by what they belong to.
struct LeftOut {
  std::string_view what;
  std::vector<std::string_view> opcodes;
};
const std::vector<LeftOut>& left_out() {
  static const std::vector<LeftOut> table = {
      {"atomics on surfaces, and questions of types of images", {"sured", "istypep"}},
      {"tensor-core instructions of several warps", {"wgmma", "tcgen05"}},
      {"cluster and multi-device instructions", {"mapa", "getctarank", "multimem", "clusterlaunchcontrol"}},
      {"tensor maps", {"tensormap"}},
  };
  return table;
}

// Variants of instructions that heddle has, told by one modifier. Without an opcode it is so for all of them.
struct LeftOutVariant {
  std::string_view opcode, modifier, what;
};
constexpr LeftOutVariant kLeftOutVariants[] = {
    {"", "shared::cluster", "clusters and their shared memory"},
    {"barrier", "cluster", "clusters and their barriers"},
    {"cp", "tensor", "tensor maps"},
    {"cp", "multicast::cluster", "clusters and their shared memory"},
    {"fence", "tensormap::generic", "tensor maps"},
    {"mma", "sp", "sparse matrices"},
    {"mma", "sp::ordered_metadata", "sparse matrices"},
    {"prefetch", "tensormap", "tensor maps"},
    {"sust", "p", "formatted stores to surfaces"},
    {"suq", "memory_layout", "the layouts of surfaces"},
    {"tex", "2dms", "multi-sample textures"},
    {"tex", "a2dms", "multi-sample textures"},
    {"tex", "f16", "textures read as halves"},
    {"tex", "f16x2", "textures read as halves"},
    {"txq", "num_samples", "multi-sample textures"},
};

// What is to be said of a variant that is left out, or "".
std::string left_out_variant(std::string_view opcode, std::span<const std::string> modifiers) {
  const auto has = [&](std::string_view word) {
    return std::find(modifiers.begin(), modifiers.end(), word) != modifiers.end();
  };
  const bool own_block = opcode == "cp" && has("global");  // where there are no clusters, a block is its own
  for (const LeftOutVariant& each : kLeftOutVariants) {
    if (!each.opcode.empty() && each.opcode != opcode) continue;
    if (each.opcode.empty() && own_block) continue;
    if (has(each.modifier))
      return fmt::format("'{}' with '.{}' is not supported: {} are left out", opcode, each.modifier, each.what);
  }
  return "";
}

std::string unknown_opcode(std::string_view opcode, const std::vector<std::string_view>& names) {
  for (const LeftOut& group : left_out())
    if (std::find(group.opcodes.begin(), group.opcodes.end(), opcode) != group.opcodes.end())
      return fmt::format("'{}' is not supported: {} are left out", opcode, group.what);
  return fmt::format("unknown instruction '{}'{}", opcode, did_you_mean(opcode, names));
}

// A form made ready for matching.
struct Compiled {
  struct Choice {
    ModSet words;
    bool optional;
  };
  const Form* form;
  ModSet allowed;
  std::vector<Choice> choices;
  struct Types {
    std::vector<Type> columns[4];
  };
  std::vector<Types> types;  // empty: the instruction has none
};

void add_words(std::string_view word, ModSet& set) {
  if (word.starts_with('@')) {
    for (std::string_view member : group_members(word)) add_words(member, set);
    return;
  }
  const auto mod = mod_named(word);
  require(mod.has_value(), "the instruction table names an unknown modifier");
  set.set(static_cast<size_t>(*mod));
}

Compiled compile(const Form& form) {
  Compiled compiled{&form, {}, {}, {}};
  for (std::string_view word : split(form.mods, ' ')) {
    Compiled::Choice choice{{}, word.ends_with('?')};
    if (choice.optional) word.remove_suffix(1);
    for (std::string_view one : split(word, '/')) add_words(one, choice.words);
    compiled.allowed |= choice.words;
    compiled.choices.push_back(choice);
  }
  for (std::string_view entry : split(form.types, ' ')) {
    Compiled::Types types;
    size_t column = 0;
    for (std::string_view list : split(entry, '<')) {
      for (std::string_view name : split(list, ',')) types.columns[column].push_back(*ptx::type_named(name));
      ++column;
    }
    compiled.types.push_back(types);
  }
  return compiled;
}

const std::unordered_map<std::string_view, std::vector<Compiled>>& table() {
  static const auto by_opcode = [] {
    std::unordered_map<std::string_view, std::vector<Compiled>> map;
    for (const Form& form : kForms) map[form.opcode].push_back(compile(form));
    return map;
  }();
  return by_opcode;
}

bool types_fit(const Compiled& form, const std::vector<Type>& types) {
  if (form.types.empty()) return types.empty();
  return std::any_of(form.types.begin(), form.types.end(), [&](const Compiled::Types& row) {
    for (size_t column = 0; column < 4; ++column) {
      const auto& legal = row.columns[column];
      if (column >= types.size()) return legal.empty();
      if (std::find(legal.begin(), legal.end(), types[column]) == legal.end()) return false;
    }
    return types.size() <= 4;
  });
}

bool choices_fit(const Compiled& form, const ModSet& mods) {
  if ((mods & ~form.allowed).any()) return false;
  return std::all_of(form.choices.begin(), form.choices.end(), [&](const Compiled::Choice& choice) {
    const size_t chosen = (mods & choice.words).count();
    return chosen == 1 || (chosen == 0 && choice.optional);
  });
}

std::string explain(std::string_view opcode, const std::vector<Compiled>& candidates, const ModSet& mods,
                    const std::vector<Type>& types) {
  for (size_t i = 0; i < mods.size(); ++i) {
    if (!mods[i]) continue;
    const bool known = std::any_of(candidates.begin(), candidates.end(), [&](auto& c) { return c.allowed[i]; });
    if (!known) return fmt::format("'{}' has no modifier '.{}'", opcode, name_of(static_cast<Mod>(i)));
  }
  const bool types_known =
      std::any_of(candidates.begin(), candidates.end(), [&](auto& c) { return types_fit(c, types); });
  std::string listed;
  for (Type t : types) listed += fmt::format(".{}", ptx::name_of(t));
  if (!types_known) {
    if (types.empty()) return fmt::format("'{}' needs a type", opcode);
    return fmt::format("'{}' does not exist for the type '{}'", opcode, listed);
  }
  return fmt::format("this combination of modifiers does not exist for '{}'", opcode);
}

bool is_layout(std::string_view word) { return word == "row" || word == "col"; }

// The word at `at`; the layouts of two matrices, whose order matters, are one.
std::string next_word(std::span<const std::string> modifiers, size_t& at) {
  const std::string& word = modifiers[at++];
  if (!is_layout(word) || at == modifiers.size() || !is_layout(modifiers[at])) return word;
  return word + "." + modifiers[at++];
}

Match find_match(std::string_view opcode, std::span<const std::string> modifiers, std::string& why) {
  const auto found = table().find(opcode);
  if (found == table().end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, forms] : table()) names.push_back(name);
    why = unknown_opcode(opcode, names);
    return {};
  }
  if (why = left_out_variant(opcode, modifiers); !why.empty()) return {};
  Match result;
  std::vector<Type> types;
  for (size_t at = 0; at < modifiers.size();) {
    const std::string word = next_word(modifiers, at);
    if (const auto mod = mod_named(word)) {
      result.mods.set(static_cast<size_t>(*mod));
    } else if (const auto type = ptx::type_named(word)) {
      types.push_back(*type);
    } else {
      why = fmt::format("unknown modifier '.{}' on '{}'", word, opcode);
      return {};
    }
  }
  for (const Compiled& candidate : found->second) {
    if (!types_fit(candidate, types) || !choices_fit(candidate, result.mods)) continue;
    result.form = candidate.form;
    result.type = types.empty() ? Type::None : types[0];
    result.source_type = types.size() > 1 ? types[1] : result.type;
    result.second_source_type = types.size() > 2 ? types[2] : result.source_type;
    result.third_source_type = types.size() > 3 ? types[3] : result.second_source_type;
    return result;
  }
  why = explain(opcode, found->second, result.mods, types);
  return {};
}

}  // namespace

std::span<const Form> forms() { return kForms; }

std::span<const std::string_view> group_members(std::string_view name) {
  for (const Group& group : groups())
    if (group.name == name) return group.members;
  throw InternalError("the instruction table names an unknown group");
}

Match match(std::string_view opcode, std::span<const std::string> modifiers, std::string& why) {
  return find_match(opcode, modifiers, why);
}

}  // namespace heddle

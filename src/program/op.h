// What an instruction does (Op) and how it is varied (Mod): the words after the dots that are no types.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

enum class Op : uint8_t {
  // values
  Abs, Add, AddCarry, And, Bfe, Bfi, Bfind, Bmsk, Brev, Clz, Cnot, CopySign, Cos, Cvt, CvtPack, Div, Dp2a, Dp4a,
  Ex2, Fma, Fns, Lg2, Lop3, Mad, MadCarry, Mad24, Max, Min, Mov, Mul, Mul24, Neg, Not, Or, Popc, Prmt, Rcp, Rem,
  Rsqrt, Sad, Selp, Set, Setp, Shf, Shl, Shr, Sin, Slct, Sqrt, Sub, SubCarry, Szext, Tanh, Testp, Xor,
  // moving bits between registers of different widths, and what no arithmetic can give
  Pack, Unpack, Clock, ActiveMask, CreatePolicy,
  // addresses and memory
  CvtaTo, CvtaFrom, IsSpace, Ld, St, Atom, Red, CpAsync, Hint, Fence, Alloca, StackSave, StackRestore,
  MbarInit, MbarArrive, MbarTest, MbarInval, MbarPending,
  // warp-wide
  Shfl, Vote, VoteNow, Match, Redux, Elect, WarpSync,
  // block-wide
  BarSync, BarArrive, BarRed,
  // control
  Bra, Brx, Call, Ret, Exit, Trap, Sleep, Builtin,
};

// How an instruction meets the grouping of threads.
enum class Flow : uint8_t {
  Plain,    // the mechanism is not asked
  Branch,   // Bra, Brx, Call, Ret, Exit: threads may part
  Barrier,  // waits for the block
  Sync,     // waits for its member lanes of the static warp
};
Flow flow_of(Op);

enum class Mod : uint8_t {
  Rn, Rna, Rz, Rm, Rp, Rni, Rzi, Rmi, Rpi,
  Ftz, Sat, SatFinite, Relu, NaN, XorSign, Abs, Approx, Full, NoFtz, Oob,
  Lo, Hi, Wide, Cc,
  Eq, Ne, Lt, Le, Gt, Ge, Ls, Hs, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan,
  And, Or, Xor, Popc,
  Finite, Infinite, Number, NotANumber, Normal, Subnormal,
  ShiftAmt, Wrap, Clamp, L, R,
  F4e, B4e, Rc8, Ecl, Ecr, Rc16,
  Up, Down, Bfly, Idx, All, Any, Uni, Ballot, Sync,
  Cas, Exch, Add, Inc, Dec, Min, Max,
  Global, Const, Shared, SharedCta, Local, Param, ParamEntry, ParamFunc, To,
  V2, V4, V8,
  Weak, Volatile, Relaxed, Acquire, Release, AcqRel, Sc, Mmio, Cta, Cluster, Gpu, Sys, Gl,
  Ca, Cg, Cs, Lu, Cv, Wb, Wt, Nc,
  EvictNormal, EvictUnchanged, EvictFirst, EvictLast, NoAllocate, L2EvictFirst, L2EvictLast, L2EvictNormal,
  L2_64B, L2_128B, L2_256B, CacheHint,
  Aligned, Arrive, Red, Warp, Cooperative, Async, Proxy, Alias, Generic, NoComplete, Drop, Expect, Parity, NoInc,
  Fractional, CommitGroup, WaitGroup, WaitAll, L1, L2, Init, Inval, TestWait, TryWait, PendingCount,
  Pack, Count_,
};
using ModSet = std::bitset<static_cast<size_t>(Mod::Count_)>;

std::optional<Mod> mod_named(std::string_view text);
std::string_view name_of(Mod);

}  // namespace heddle

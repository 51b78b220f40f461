// Kernels in which threads of diverged warps meet: barriers and warp-wide instructions. Every mechanism must give the
// same words.
#pragma once

namespace heddle::scripted {

// Each thread t of a block spins t % 7 + 1 rounds, then: a butterfly sum over its static warp, a ballot over the lower
// or upper half of it, a count over the block. words[16 * global thread …] gets the results.
inline const char* const kMeetings = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry meetings(.param .u64 words)
{
  .reg .u64 %rd<4>;
  .reg .u32 %r<20>;
  .reg .pred %p<8>;
  ld.param.u64 %rd1, [words];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd2, %r4, 64;
  add.u64 %rd1, %rd1, %rd2;
  rem.u32 %r5, %r4, 7;
  mov.u32 %r6, 0;
SPIN:
  mad.lo.u32 %r6, %r6, 3, %r4;
  sub.u32 %r5, %r5, 1;
  setp.ge.s32 %p1, %r5, 0;
  @%p1 bra SPIN;
  shfl.sync.bfly.b32 %r7, %r6, 16, 31, 0xffffffff;
  add.u32 %r7, %r7, %r6;
  shfl.sync.bfly.b32 %r8, %r7, 1, 31, 0xffffffff;
  add.u32 %r8, %r8, %r7;
  st.global.u32 [%rd1], %r8;
  and.b32 %r9, %r1, 16;
  setp.eq.u32 %p2, %r9, 0;
  and.b32 %r10, %r6, 1;
  setp.eq.u32 %p3, %r10, 1;
  selp.b32 %r11, 0x0000ffff, 0xffff0000, %p2;
  @%p2 bra HALVES;
  mov.u32 %r10, 5;
HALVES:
  vote.sync.ballot.b32 %r12, %p3, %r11;
  st.global.u32 [%rd1+4], %r12;
  @%p3 bra ODD;
  barrier.red.popc.u32 %r13, 0, %p2;
  bra.uni JOIN;
ODD:
  barrier.red.popc.u32 %r13, 0, %p2;
  add.u32 %r13, %r13, 100;
JOIN:
  st.global.u32 [%rd1+8], %r13;
  setp.ge.u32 %p4, %r1, 48;
  @%p4 bra LATE;
  barrier.sync 1, 48;
  st.global.u32 [%rd1+12], %r1;
  bra.uni LAST;
LATE:
  barrier.arrive 2, 64;
LAST:
  setp.lt.u32 %p5, %r1, 3;
  @%p5 exit;
  barrier.sync 0;
  st.global.u32 [%rd1+16], %r3;
  ret;
}
)";

}  // namespace heddle::scripted

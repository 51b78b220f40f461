// A kernel that tells which load and which store came first.
#pragma once

#include <string>
#include <string_view>

namespace heddle::test {

// In each of sixteen rounds a thread reads a word that threads of all blocks write, mixes it with what it has, and
// writes that into the next word: what comes of it hangs on the order of every load and store.
inline constexpr unsigned kRacers = 64;  // threads of a block

inline constexpr std::string_view kRace = R"(
.visible .entry k(.param .u64 shared, .param .u64 out) {
  .reg .pred %p;
  .reg .b32 %r<12>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [shared];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 64, %r1;
  mov.u32 %r4, %r3;
  mov.u32 %r5, 0;
  and.b32 %r9, %r1, 7;
AGAIN:
  add.u32 %r6, %r9, %r5;
  and.b32 %r6, %r6, 7;
  mul.wide.u32 %rd3, %r6, 4;
  add.u64 %rd4, %rd1, %rd3;
  LOAD;
  mad.lo.u32 %r4, %r4, 1664525, %r7;
  WRITE;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p, %r5, 16;
  @%p bra AGAIN;
  mul.wide.u32 %rd5, %r3, 4;
  add.u64 %rd6, %rd2, %rd5;
  st.global.u32 [%rd6], %r4;
  ret;
})";

inline std::string race_of(std::string_view load, std::string_view write) {
  std::string text(kRace);
  text.replace(text.find("LOAD"), 4, load);
  text.replace(text.find("WRITE"), 5, write);
  return text;
}

}  // namespace heddle::test

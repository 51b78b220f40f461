// Small kernels for the tests of the command line.
#pragma once

#include <string_view>

namespace heddle::cli {

// out[i] = a[i] + b[i] for i < n
inline constexpr std::string_view kAdd = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 out, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r1, %r2, %r3, %r1;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r1, %r4;
  @%p bra DONE;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [out];
  mul.wide.u32 %rd4, %r1, 4;
  add.u64 %rd1, %rd1, %rd4;
  add.u64 %rd2, %rd2, %rd4;
  add.u64 %rd3, %rd3, %rd4;
  ld.global.u32 %r5, [%rd1];
  ld.global.u32 %r6, [%rd2];
  add.u32 %r7, %r5, %r6;
  st.global.u32 [%rd3], %r7;
DONE:
  ret;
}
)";

// Threads 0 and 1 go one way, the others another.
inline constexpr std::string_view kBranch = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry branch(.param .u64 out)
{
  .reg .pred %p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .loc 1 3 0
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p, %r1, 2;
  .loc 1 4 0
  @%p bra LOW;
  mov.u32 %r2, 20;
  bra JOIN;
LOW:
  mov.u32 %r2, 10;
JOIN:
  .loc 1 7 0
  ld.param.u64 %rd1, [out];
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
.file 1 "branch.cu"
)";

// Copies the 24 bytes of its one parameter, as three words, to the address in the first of them.
inline constexpr std::string_view kStructure = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry values(.param .u64 out, .param .align 4 .b8 pair[8], .param .u16 h, .param .f64 d)
{
  .reg .b16 %h;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [pair];
  ld.param.u32 %r2, [pair+4];
  ld.param.u16 %h, [h];
  ld.param.b64 %rd2, [d];
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
  st.global.u16 [%rd1+8], %h;
  st.global.b64 [%rd1+16], %rd2;
  ret;
}
)";

// A kernel of one parameter `out` around a body that may use %r1…%r8, %rd1 (= out) and %p.
inline std::string kernel_with(std::string_view body, std::string_view name = "k") {
  return std::string(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry ")
      .append(name)
      .append("(.param .u64 out)\n{\n.reg .pred %p;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [out];\n")
      .append(body)
      .append("\n}\n");
}

inline constexpr std::string_view kForever = "AGAIN:\nbra AGAIN;";

}  // namespace heddle::cli

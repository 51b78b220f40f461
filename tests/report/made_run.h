// Runs of small kernels made for a test, on the default machine unless it says otherwise.
#pragma once

#include "run/runner.h"

namespace heddle {

struct Made {
  std::string body;
  Dim3 grid{4}, block{256};
  std::vector<std::string> set{};
  std::string mechanism = "pdom";
  bool timed = true, profiled = true;
};

// A kernel of one buffer, %rd1; %r1 is the thread of the block, %r2 of the grid. A line of the body is a line of the
// file, the first is 12.
inline RunResult run_made(const Made& made) {
  RunSpec spec;
  spec.kind = RunSpec::Kind::PtxFile;
  spec.program = "made.ptx";
  spec.timed = made.timed;
  spec.settings = made.set;
  spec.mechanism = made.mechanism;
  spec.settings.emplace_back("icache_bytes=0");
  if (made.profiled) spec.instruments.add("profile");
  Gpu gpu(config_of(spec), gpu_options_of(spec, {}));
  return measure(gpu, spec, [&]() -> std::optional<workloads::Check> {
    gpu.load("made.ptx",
             ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 4 .b8 words[32768];\n"
             ".visible .entry k(.param .u64 p) {\n"
             ".reg .b32 %r<16>; .reg .f32 %f<16>; .reg .b64 %rd<16>; .reg .pred %p<8>;\n"
             "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
             "mad.lo.u32 %r2, %r3, %r4, %r1;\n" +
                 made.body + "ret;\n}\n");
    const Address buffer = gpu.allocate(64 << 20, "buffer");
    gpu.launch("k", {made.grid, made.block, 0, false}, Arguments(buffer));
    return std::nullopt;
  });
}

// A loop of 64 turns, %r9 counts them, around these lines, the first of which is 13.
inline std::string loop(const std::string& lines) {
  return "mov.u32 %r9, 0;\nLOOP: " + lines + "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 64;\n@%p1 bra LOOP;\n";
}

}  // namespace heddle

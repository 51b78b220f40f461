// A kernel under the checks, and what they find.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/gpu.h"

namespace heddle::test {

// A GPU that looks for what is asked for.
class CheckedGpu : public Gpu {
 public:
  CheckedGpu(std::string_view checks, std::string_view ptx, std::string_view mechanism = "pdom")
      : Gpu(make_config("default", std::vector<std::string>{}), options_for(checks, mechanism)) {
    load("test.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n" + std::string(ptx));
  }
  // "race 4 7": its kind, and the lines of the two in the text that was given, the later access first.
  std::vector<std::string> found() const;

 private:
  static GpuOptions options_for(std::string_view checks, std::string_view mechanism) {
    GpuOptions options;
    options.mechanism = mechanism;
    options.checks = check::CheckSet(checks);
    return options;
  }
};

// The body in a kernel `k` of one parameter, a buffer of 4096 zeros, whose address is in %rd1; %r1 is the thread, %r2
// its block, %r3 four times the thread, %rd3 where it is in the buffer (all blocks at the same places). What is found
// in a launch of so many blocks of so many threads. Lines count from the first of the body.
std::vector<std::string> found_in(std::string_view checks, std::string_view body, unsigned blocks, unsigned threads,
                                  std::string_view mechanism = "pdom");

}  // namespace heddle::test

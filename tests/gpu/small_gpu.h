// A GPU with a small PTX text loaded, and the errors it makes.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gpu/gpu.h"

namespace heddle::test {

inline std::string with_header(std::string_view text) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + std::string(text);
}

// Thread 5 of a block waits at another barrier than the rest.
inline constexpr std::string_view kTwoBarriers = R"(
.visible .entry k() {
  .reg .pred %p;
  .reg .b32 %r;
  mov.u32 %r, %tid.x;
  setp.eq.u32 %p, %r, 5;
  @%p bra OTHER;
  bar.sync 0;
  ret;
OTHER:
  bar.sync 1;
  ret;
})";

class SmallGpu : public Gpu {
 public:
  explicit SmallGpu(std::string_view ptx, const std::vector<std::string>& assignments = {},
                    std::string_view mechanism = "pdom")
      : Gpu(make_config("default", assignments), options_for(mechanism)) {
    load("test.ptx", with_header(ptx));
  }

 private:
  static GpuOptions options_for(std::string_view mechanism) {
    GpuOptions options;
    options.mechanism = mechanism;
    return options;
  }
};

// The text of the error that `act` ends with; its code must be `code`.
inline std::string error_of(ExitCode code, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace heddle::test

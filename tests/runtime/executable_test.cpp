// What is read from an executable before it is run.
#include "runtime/executable.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace heddle::test {
namespace {

using runtime::Executable;
using testing::HasSubstr;

std::string refusal(const Executable& executable) {
  try {
    runtime::check_executable(executable);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadProgram);
    return error.what();
  }
  return "";
}

TEST(Executable, the_libraries_of_this_program_are_found) {
  const Executable self = runtime::read_executable("/proc/self/exe");
  EXPECT_TRUE(self.is_elf);
  EXPECT_THAT(self.needed, testing::Contains(testing::StartsWith("libc.so")));
  EXPECT_FALSE(self.needs_cuda_runtime());
  EXPECT_FALSE(self.has_device_code);
}

TEST(Executable, a_script_is_no_executable_of_this_kind_and_may_run) {
  const Executable script = runtime::read_executable(HEDDLE_SOURCE "/tools/run-tests");
  EXPECT_FALSE(script.is_elf);
  EXPECT_EQ(refusal(script), "");
}

TEST(Executable, device_code_without_the_shared_runtime_is_refused_with_advice) {
  Executable program{"app", true, true, {"libc.so.6"}, false};
  EXPECT_THAT(refusal(program), HasSubstr("nvcc --cudart shared"));
  program.needed.push_back("libcudart.so.12");
  EXPECT_EQ(refusal(program), "");
}

TEST(Executable, a_program_is_looked_for_along_the_path) {
  EXPECT_THAT(runtime::find_executable("sh"), testing::EndsWith("/sh"));
  EXPECT_EQ(runtime::find_executable("/bin/sh"), "/bin/sh");
  EXPECT_THROW(runtime::find_executable("./there-is-no-such-program"), Error);
  EXPECT_THROW(runtime::find_executable("there-is-no-such-program"), Error);
}

}  // namespace
}  // namespace heddle::test

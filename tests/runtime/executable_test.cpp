// What is read from an executable before it is run.
#include "runtime/executable.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "runtime/foreign_libraries.h"

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
  EXPECT_FALSE(self.needs_cuda());
  EXPECT_FALSE(self.has_device_code);
}

TEST(Executable, libraries_that_nothing_stands_in_for_are_named) {
  Executable executable = runtime::read_executable("/proc/self/exe");
  EXPECT_THAT(runtime::notes_on_foreign_libraries(executable), testing::IsEmpty());
  executable.path = "./app";
  executable.needed = {"libcudart.so.13",   "libcufft.so.12", "libm.so.6",
                       "libcublasLt.so.13", "libcuda.so.1",   "libmpi.so.40"};
  EXPECT_THAT(runtime::notes_on_foreign_libraries(executable),
              testing::ElementsAre(testing::StartsWith("./app asks for cuFFT (libcufft.so.12): it works with NVIDIA's"),
                                   HasSubstr("cuBLASLt (libcublasLt.so.13)"), HasSubstr("MPI (libmpi.so.40)")));
}

TEST(Executable, a_script_is_no_executable_of_this_kind_and_may_run) {
  const Executable script = runtime::read_executable(HEDDLE_SOURCE "/tools/run-tests");
  EXPECT_FALSE(script.is_elf);
  EXPECT_EQ(refusal(script), "");
}

TEST(Executable, device_code_that_nothing_can_serve_is_refused_with_advice) {
  Executable program{"app", true, true, {"libc.so.6"}, false};
  EXPECT_THAT(refusal(program), HasSubstr("nvcc --cudart shared"));
  program.has_runtime_inside = true;
  EXPECT_EQ(refusal(program), "");
  program.has_runtime_inside = false;
  for (const char* library : {"libcudart.so.12", "libcuda.so.1"}) {
    program.needed = {"libc.so.6", library};
    EXPECT_EQ(refusal(program), "") << library;
  }
}

TEST(Executable, a_program_is_looked_for_along_the_path) {
  EXPECT_THAT(runtime::find_executable("sh"), testing::EndsWith("/sh"));
  EXPECT_EQ(runtime::find_executable("/bin/sh"), "/bin/sh");
  EXPECT_THROW(runtime::find_executable("./there-is-no-such-program"), Error);
  EXPECT_THROW(runtime::find_executable("there-is-no-such-program"), Error);
  EXPECT_THROW(runtime::find_executable("/etc/passwd"), Error);  // not executable
  EXPECT_THROW(runtime::find_executable("/etc/"), Error);
}

// A file that is executable, and what is said to it.
std::string said_to(const std::string& bytes) {
  const std::string path = testing::TempDir() + "heddle-wrong-program";
  std::ofstream(path, std::ios::binary) << bytes;
  const Executable executable = runtime::read_executable(path);
  std::filesystem::remove(path);
  try {
    runtime::check_executable(executable);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "";
}

// This program's own first bytes, with one of them changed.
std::string own_start(size_t at, char byte) {
  std::string bytes(4096, '\0');
  std::ifstream("/proc/self/exe", std::ios::binary).read(bytes.data(), 4096);
  bytes[at] = byte;
  return bytes;
}

TEST(Executable, what_this_machine_cannot_run_is_refused_before_it_is_tried) {
  constexpr size_t kClass = 4, kType = 16, kMachine = 18;  // of the ELF header
  EXPECT_THAT(said_to("hello\n"), HasSubstr("neither a program nor a script"));
  EXPECT_THAT(said_to(""), HasSubstr("neither a program nor a script"));
  EXPECT_THAT(said_to("#!/no/such/shell -x\n"), HasSubstr("interpreter /no/such/shell is not there"));
  EXPECT_EQ(said_to("#! /bin/sh -e\n"), "");
  EXPECT_THAT(said_to(own_start(kClass, 1)), HasSubstr("32 bits"));
  EXPECT_THAT(said_to(own_start(kMachine, 8)), HasSubstr("another processor"));  // MIPS
  EXPECT_THAT(said_to(own_start(kType, 1)), HasSubstr("object file"));
  EXPECT_THAT(said_to(own_start(kClass, 2).substr(0, 40)), HasSubstr("cut off"));
  EXPECT_EQ(said_to(own_start(kClass, 2)), "");
}

}  // namespace
}  // namespace heddle::test

// What a program may not say to the simulator: it ends the session with an error that blames the program.
#include "runtime/session.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "gpu/machine_keys.h"

namespace heddle::runtime {
namespace {

constexpr std::string_view kKernel =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b) { ret; }\n";

std::string load(const std::string& image = write_fat_binary(kKernel, 80)) {
  return MessageWriter()
      .add_text(image)
      .add(uint32_t{0})
      .add(uint32_t{0})
      .with_header(static_cast<uint32_t>(Request::Load));
}
std::string find_kernel(uint32_t module) {
  return MessageWriter().add(module).add_text("k").with_header(static_cast<uint32_t>(Request::FindKernel));
}
std::string launch(uint32_t kernel, size_t parameter_bytes) {
  const LaunchFacts facts{{1, 1, 1}, {32, 1, 1}, 0, 0};
  return MessageWriter()
      .add(kDefaultStream)
      .add(kernel)
      .add(facts)
      .add_text(std::string(parameter_bytes, '\0'))
      .with_header(static_cast<uint32_t>(Request::Launch));
}

struct End {
  std::string failure;  // or empty
  size_t launches = 0;
};

End end_of(const std::string& messages) {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  send_all(ends[0], messages);
  shutdown(ends[0], SHUT_WR);
  std::thread program([&] {
    char answers[4096];
    while (recv(ends[0], answers, sizeof answers, 0) > 0) {
    }
  });
  std::string printed;
  GpuOptions options;
  options.memory.shared = true;
  Gpu gpu(make_config("tiny", {}), options);
  Session session(ends[1], gpu, "./app", printed,
                  {.complain = [](const std::string&) {}, .warn = {}, .loaded = {}, .fetched = {}});
  session.serve();
  close(ends[1]);
  program.join();
  close(ends[0]);
  const ExitCode code = session.failure() ? session.failure()->code() : ExitCode::BadProgram;
  EXPECT_EQ(code, ExitCode::BadProgram);
  return {session.failure() ? session.failure()->what() : "", gpu.launches().size()};
}

TEST(Session, serves_what_makes_sense) {
  const End end = end_of(load() + find_kernel(0) + launch(0, 16));
  EXPECT_EQ(end.failure, "");
  EXPECT_EQ(end.launches, 1U);
}

TEST(Session, takes_PTX_by_itself) {
  const End end = end_of(load(std::string(kKernel)) + find_kernel(0) + launch(0, 16));
  EXPECT_EQ(end.failure, "");
  EXPECT_EQ(end.launches, 1U);
}

TEST(Session, says_what_is_wrong_with_code) {
  EXPECT_NE(end_of(load("no code")).failure, "");
  EXPECT_NE(end_of(load("\177ELF")).failure.find("machine code only (a cubin)"), std::string::npos);
}

TEST(Session, links_something) {
  const auto link = [](uint32_t count) {
    return MessageWriter().add(count).add_text(kKernel).with_header(static_cast<uint32_t>(Request::Link));
  };
  EXPECT_EQ(end_of(link(1)).failure, "");
  EXPECT_NE(end_of(link(0)).failure.find("nothing to link"), std::string::npos);
}

TEST(Session, ends_at_numbers_that_nobody_gave_out) {
  const std::string list = MessageWriter().add(uint32_t{1}).with_header(static_cast<uint32_t>(Request::ListKernels));
  for (const std::string& bad : {find_kernel(1), launch(0, 16), list})
    EXPECT_EQ(end_of(load() + bad).failure,
              "what ./app asked for makes no sense: a number nobody gave out. Is its libcuda.so.1 of this heddle?");
}

TEST(Session, ends_at_a_launch_with_too_few_parameters) {
  const End end = end_of(load() + find_kernel(0) + launch(0, 15));
  EXPECT_NE(end.failure.find("too few bytes of parameters"), std::string::npos) << end.failure;
  EXPECT_EQ(end.launches, 0U);
}

TEST(Session, ends_at_messages_that_are_cut_off) {
  const Header bare{static_cast<uint32_t>(Request::FindKernel), 2};
  const std::string cut(reinterpret_cast<const char*>(&bare), sizeof bare);
  EXPECT_NE(end_of(load() + cut + "ab").failure.find("a message is cut off"), std::string::npos);
  // A list of four thousand million texts, and a message of 4 GB, of which nothing comes.
  const std::string list =
      MessageWriter().add_text("").add(UINT32_MAX).with_header(static_cast<uint32_t>(Request::Load));
  EXPECT_NE(end_of(list).failure.find("a list is cut off"), std::string::npos);
  const Header huge{static_cast<uint32_t>(Request::Load), UINT32_MAX};
  EXPECT_EQ(end_of(std::string(reinterpret_cast<const char*>(&huge), sizeof huge)).failure, "");
}

}  // namespace
}  // namespace heddle::runtime

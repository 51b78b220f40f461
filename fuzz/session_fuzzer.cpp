// Any bytes as what a CUDA program sends to the simulator, behind its greeting: the session ends, and the simulator
// goes on. Kernels may fault and must end, so the machine gives up early.
#include <sys/socket.h>

#include <thread>

#include "fuzz_target.h"
#include "gpu/gpu.h"
#include "gpu/machine_keys.h"
#include "runtime/session.h"

namespace {

heddle::Config small_machine() {
  const std::string set[] = {"max_slots=2000"};
  return heddle::make_config("tiny", set);
}

// A launch that ends in a bug of heddle is only told.
void end_if_internal(const std::string& complaint) {
  if (complaint.starts_with("internal error")) throw heddle::InternalError(complaint);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  static const Config config = small_machine();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
  runtime::send_all(ends[0], fuzz::text_of(data, size));  // -max_len is less than a socket holds
  shutdown(ends[0], SHUT_WR);
  std::thread program([&] {
    char answers[4096];
    while (recv(ends[0], answers, sizeof answers, 0) > 0) {
    }
  });
  std::string printed;
  GpuOptions options;
  options.memory.shared = true;
  options.printed = &printed;
  Gpu gpu(config, options);
  runtime::Session session(ends[1], gpu, "fuzz", printed,
                           {.complain = &end_if_internal, .warn = {}, .loaded = {}, .fetched = {}});
  fuzz::expect_result_or_error([&] { session.serve(); });
  close(ends[1]);
  program.join();
  close(ends[0]);
  return 0;
}

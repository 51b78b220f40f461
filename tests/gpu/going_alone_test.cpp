// A warp that goes alone in its static warp is executed before it is issued (Mechanism::goes_alone): to the bit what
// it does where somebody watches every step.
#include <gtest/gtest.h>

#include "gpu/small_gpu.h"
#include "support/memory_image.h"

namespace heddle::test {
namespace {

// Half of the first warp waits at a barrier of 48 threads for the second warp, while the other half goes round: it is
// alone, but not until it comes to something itself.
constexpr std::string_view kBarrierOfSome = R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p, %q;
  .reg .b32 %t, %n, %i, %s;
  .reg .b64 %a, %b;
  mov.u32 %t, %tid.x;
  mov.u32 %i, 0;
  mov.u32 %s, %t;
  and.b32 %n, %t, 48;
  setp.eq.u32 %q, %n, 16;
  @%q bra ROUND;
  and.b32 %n, %t, 32;
DELAY:
  setp.ge.u32 %p, %i, %n;
  @%p bra MEET;
  add.u32 %i, %i, 1;
  bra DELAY;
MEET:
  bar.sync 1, 48;
  mov.u32 %n, 100;
  mov.u32 %i, 0;
AGAIN:
  mad.lo.u32 %s, %s, 5, %i;
  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, %n;
  @%p bra AGAIN;
  bra DONE;
ROUND:
  mad.lo.u32 %s, %s, 3, %i;
  add.u32 %i, %i, 1;
  setp.lt.u32 %p, %i, 300;
  @%p bra ROUND;
DONE:
  ld.param.u64 %a, [out];
  mul.wide.u32 %b, %t, 4;
  add.u64 %a, %a, %b;
  st.global.u32 [%a], %s;
  ret;
})";

constexpr std::string_view kGoesRound = R"(
.visible .entry k(.param .u64 out) {
  .reg .b32 %i;
  mov.u32 %i, %tid.x;
ROUND:
  xor.b32 %i, %i, 5;
  bra ROUND;
})";

class Watcher : public Observer {
 public:
  uint32_t wants() const override { return kSteps; }
};

struct Found {
  std::vector<KernelStats> launches;
  uint64_t memory = 0;
  std::string error;
  bool operator==(const Found&) const = default;
};

Found run(std::string_view ptx, std::string_view mechanism, bool watched) {
  GpuOptions options;
  options.mechanism = mechanism;
  if (watched) options.observers.push_back(std::make_shared<Watcher>());
  Gpu gpu(make_config("default", std::vector<std::string>{"spin_limit=40000"}), options);
  gpu.load("test.ptx", with_header(ptx));
  const Buffer<uint32_t> out(gpu, 64, "out");
  Found found;
  try {
    gpu.launch("k", {{1}, {64}, 0, false}, Arguments(out.address()));
  } catch (const Error& error) {
    found.error = error.what();
  }
  found.launches = gpu.launches();
  found.memory = gpu.memory().fingerprint();
  return found;
}

constexpr std::string_view kMechanisms[] = {"sbi", "swi", "sbi+swi", "vws", "dws"};

TEST(GoingAlone, ends_where_a_barrier_of_some_threads_lets_others_go) {
  for (const std::string_view mechanism : kMechanisms) {
    const Found found = run(kBarrierOfSome, mechanism, false);
    EXPECT_EQ(found.error, "") << mechanism;
    EXPECT_TRUE(found == run(kBarrierOfSome, mechanism, true)) << mechanism;
  }
}

TEST(GoingAlone, is_over_when_somebody_asks_whether_threads_spin) {
  for (const std::string_view mechanism : kMechanisms) {
    const Found found = run(kGoesRound, mechanism, false);
    EXPECT_NE(found.error.find("spins"), std::string::npos) << mechanism << ": " << found.error;
    EXPECT_TRUE(found == run(kGoesRound, mechanism, true)) << mechanism;
  }
}

}  // namespace
}  // namespace heddle::test

// Warps that take turns without their mechanism being asked (Mechanism::turns), or branch without its being told
// (Mechanism::goes_on): to the bit what they do where somebody watches every step, for whom each is chosen, issued and
// retired by itself.
#include <gtest/gtest.h>

#include "gpu/gpu.h"
#include "support/amount.h"
#include "support/memory_image.h"
#include "workloads/workload.h"

namespace heddle::test {
namespace {

class StepWatcher : public Observer {
 public:
  uint32_t wants() const override { return kSteps; }
  void issued(const Scene&, const Issued& event) override { slots += event.slots; }
  uint64_t slots = 0;
};

struct TurnsRun {
  std::vector<KernelStats> launches;
  uint64_t memory = 0;
  std::string error;
  bool refused = false;  // the mechanism cannot run it
  bool operator==(const TurnsRun&) const = default;
};

TurnsRun run_with(const workloads::Workload& workload, const std::string& mechanism,
                  const std::vector<std::string>& settings, const std::shared_ptr<StepWatcher>& watcher) {
  TurnsRun run;
  std::string printed;
  GpuOptions options;
  options.mechanism = mechanism;
  options.printed = &printed;
  if (watcher) options.observers.push_back(watcher);
  Gpu gpu(make_config("default", settings), options);
  try {
    gpu.load(workload.name, workload.ptx());
    workload.run(gpu, workloads::Size::Tiny);
  } catch (const Error& error) {
    run.error = error.what();
    run.refused = error.code() == ExitCode::Refused;
  }
  run.launches = gpu.launches();
  run.memory = gpu.memory().fingerprint();
  return run;
}

void expect_same(const std::string& mechanism, const std::vector<std::string>& settings) {
  const size_t every = amount(1, 5, 29);
  size_t n = turn();
  for (const workloads::Workload& workload : workloads::all()) {
    if (workload.kind != workloads::Kind::Usual || n++ % every != 0) continue;
    const auto watcher = std::make_shared<StepWatcher>();
    const TurnsRun watched = run_with(workload, mechanism, settings, watcher);
    EXPECT_TRUE(watcher->slots > 0 || watched.refused) << workload.name;
    EXPECT_TRUE(run_with(workload, mechanism, settings, nullptr) == watched) << mechanism << ", " << workload.name;
  }
}

TEST(Turns, of_dwf_are_what_it_does_step_by_step) { expect_same("dwf", {}); }
TEST(Turns, of_dwf_wb_are_what_it_does_step_by_step) { expect_same("dwf-wb", {}); }
TEST(Turns, of_a_minority_are_what_it_does_step_by_step) { expect_same("dwf", {"dwf_policy=minority"}); }
TEST(Turns, end_where_patience_does) { expect_same("dwf", {"dwf_patience=70"}); }
TEST(Turns, end_where_the_launch_may_have_no_more_slots) { expect_same("dwf", {"max_slots=777"}); }
TEST(Turns, are_the_same_in_small_warps) { expect_same("dwf", {"warp_size=8"}); }
TEST(Turns, of_whole_warps_are_the_same_in_small_warps) { expect_same("dwf-wb", {"warp_size=8"}); }
TEST(Turns, of_whole_warps_end_where_patience_does) { expect_same("dwf-wb", {"dwf_patience=70"}); }

TEST(GoesOn, in_pdom_is_what_it_does_step_by_step) { expect_same("pdom", {}); }
TEST(GoesOn, in_pdom_with_likely_points_is_what_it_does_step_by_step) { expect_same("pdom", {"lcp=true"}); }
TEST(GoesOn, in_tbc_is_what_it_does_step_by_step) { expect_same("tbc", {}); }
TEST(GoesOn, in_dws_is_what_it_does_step_by_step) { expect_same("dws", {}); }
TEST(GoesOn, in_dws_whose_splits_wait_is_what_it_does_step_by_step) { expect_same("dws", {"reconverge=stack"}); }
TEST(GoesOn, in_sbi_is_what_it_does_step_by_step) { expect_same("sbi", {}); }
TEST(GoesOn, in_sbi_that_is_not_constrained_is_what_it_does_step_by_step) { expect_same("sbi", {"constrained=false"}); }
TEST(GoesOn, in_sbi_with_swi_is_what_it_does_step_by_step) { expect_same("sbi+swi", {}); }
TEST(GoesOn, in_swi_is_what_it_does_step_by_step) { expect_same("swi", {}); }
TEST(GoesOn, in_swi_is_the_same_in_small_warps) { expect_same("swi", {"warp_size=8"}); }
TEST(GoesOn, in_its_is_what_it_does_step_by_step) { expect_same("its", {}); }
TEST(GoesOn, in_its_that_yields_nowhere_is_what_it_does_step_by_step) { expect_same("its", {"yield=none"}); }
TEST(GoesOn, in_its_with_slots_for_barriers_is_what_it_does_step_by_step) {
  expect_same("its", {"barrier_slots=true"});
}
TEST(GoesOn, in_its_with_ipdom_joins_is_what_it_does_step_by_step) { expect_same("its", {"joins=ipdom"}); }
TEST(GoesOn, in_dual_path_is_what_it_does_step_by_step) { expect_same("dual-path", {}); }
TEST(GoesOn, in_multi_path_is_what_it_does_step_by_step) { expect_same("multi-path", {}); }
TEST(GoesOn, in_multi_path_that_unites_early_is_what_it_does_step_by_step) {
  expect_same("multi-path", {"early=true"});
}
TEST(GoesOn, in_aware_is_what_it_does_step_by_step) { expect_same("aware", {}); }
TEST(GoesOn, in_aware_whose_time_is_out_is_what_it_does_step_by_step) { expect_same("aware", {"recv_timeout=50"}); }
TEST(GoesOn, in_implicit_stack_is_what_it_does_step_by_step) { expect_same("implicit-stack", {}); }
TEST(GoesOn, in_lorie_strong_is_what_it_does_step_by_step) { expect_same("lorie-strong", {}); }
TEST(GoesOn, in_thread_frontiers_is_what_it_does_step_by_step) { expect_same("thread-frontiers", {}); }
TEST(GoesOn, in_thread_frontiers_by_pc_is_what_it_does_step_by_step) {
  expect_same("thread-frontiers", {"variant=ptpc"});
}
TEST(GoesOn, in_takahashi_is_what_it_does_step_by_step) { expect_same("takahashi", {}); }
TEST(GoesOn, in_lwm_is_what_it_does_step_by_step) { expect_same("lwm", {}); }
TEST(GoesOn, in_lwm_whose_memory_is_packed_is_what_it_does_step_by_step) { expect_same("lwm", {"row_memory=false"}); }
TEST(GoesOn, in_small_large_warps_is_the_same) { expect_same("lwm", {"large_warp_size=64", "warp_size=8"}); }
TEST(GoesOn, in_stackless_is_what_it_does_step_by_step) { expect_same("stackless", {}); }
TEST(GoesOn, in_stackless_by_pc_is_what_it_does_step_by_step) { expect_same("stackless", {"stackless_pick=min_pc"}); }
TEST(GoesOn, in_vws_is_what_it_does_step_by_step) { expect_same("vws", {}); }

// Without somebody who watches, these put off what only computes (WarpEngine::put_off).
TEST(PutOff, in_small_warps_is_the_same) { expect_same("dws", {"warp_size=8"}); }
TEST(PutOff, in_small_warps_with_companions_is_the_same) { expect_same("sbi+swi", {"warp_size=8"}); }
TEST(PutOff, is_counted_where_the_launch_may_have_no_more_slots) { expect_same("sbi", {"max_slots=777"}); }
TEST(PutOff, without_companions_is_the_same) { expect_same("vws", {"gangs_per_cycle=1"}); }

// Who goes alone is executed before it is issued (WarpEngine::run_alone).
TEST(GoesAlone, is_counted_where_the_launch_may_have_no_more_slots) { expect_same("vws", {"max_slots=777"}); }
TEST(GoesAlone, beside_others_is_counted_there) { expect_same("sbi+swi", {"max_slots=1234"}); }
TEST(GoesAlone, in_small_slices_is_the_same) { expect_same("vws", {"slice=1"}); }
TEST(GoesAlone, in_small_warps_of_slices_is_the_same) { expect_same("vws", {"warp_size=8"}); }

// And these compute ahead (WarpEngine::compute_ahead).
TEST(ComputedAhead, is_what_ideal_compaction_does_step_by_step) { expect_same("tbc-ideal", {}); }
TEST(ComputedAhead, is_what_warps_that_pass_on_do_step_by_step) { expect_same("capri", {}); }
TEST(ComputedAhead, is_the_same_with_likely_points) { expect_same("tbc", {"lcp=true"}); }

// And these come to branches together (Mechanism::gathering).
TEST(Gathering, at_all_branches_is_the_same) { expect_same("tbc", {"wait_at=all"}); }
TEST(Gathering, in_static_warps_is_the_same) { expect_same("tbc", {"compaction=false"}); }
TEST(Gathering, in_small_warps_is_the_same) { expect_same("tbc", {"warp_size=8"}); }
TEST(Gathering, in_small_ideal_warps_is_the_same) { expect_same("tbc-ideal", {"warp_size=8"}); }
TEST(Gathering, ends_where_the_launch_may_have_no_more_slots) { expect_same("tbc", {"max_slots=777"}); }

// And these pass by branches (Mechanism::passes).
TEST(Passing, where_nobody_waits_is_the_same) { expect_same("capri", {"history=never"}); }
TEST(Passing, in_small_warps_is_the_same) { expect_same("capri", {"warp_size=8"}); }
TEST(Passing, ends_where_the_launch_may_have_no_more_slots) { expect_same("capri", {"max_slots=777"}); }

}  // namespace
}  // namespace heddle::test

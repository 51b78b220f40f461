// What a launch took.
#include <algorithm>

#include "gpu/cycle_launch.h"

namespace heddle {

void CycleLaunch::take_samples(CoreCycle upto) {
  for (Series& series : series_)
    for (; series.next <= upto; series.next += series.observer->sample_every()) {
      for (const std::unique_ptr<Site>& site : sites_) site->core->settle(series.next);
      series.observer->sampled(sample_at(series.next));
    }
}

CoreCycle CycleLaunch::next_sample() const {
  CoreCycle next = kNever;
  for (const Series& series : series_) next = std::min(next, series.next);
  return next;
}

Sample CycleLaunch::sample_at(CoreCycle cycle) const {
  Sample sample;
  sample.cycle = cycle - begin_;
  for (const std::unique_ptr<Site>& site : sites_) {
    sample.thread_instructions += site->engine->stats().thread_instructions;
    sample.issue_slots += site->engine->stats().issue_slots;
    sample.cores.add(site->core->stats());
  }
  const uint64_t unused = (what_.info.cores - sites_.size()) * sample.cycle * parameters_.sub_cores;  // got no block
  sample.cores.w0_idle += unused;
  sample.cores.empty += unused;
  sample.memory = system_.stats().since(memory_before_);
  return sample;
}

void CycleLaunch::gather(Tick now, const MemoryStats& before) {
  TimingStats& timing = *stats_.timing;
  end_ = std::max(clocks_.core.at_or_after(now) + 1, begin_);
  for (const std::unique_ptr<Site>& site : sites_) end_ = std::max(end_, site->core->accounted());
  const bool touched =
      std::ranges::any_of(sites_, [](const auto& site) { return site->core->stats().memory_slots > 0; });
  end_ += drain_ + (touched ? flush_ : 0);
  timing.cycles = end_ - begin_;
  CoreStats idle;  // of cores that it had no block on
  idle.w0_idle = idle.empty = timing.cycles * timing.sub_cores;
  timing.cores.assign(what_.info.cores, idle);
  for (const std::unique_ptr<Site>& site : sites_) {
    site->core->finish(end_);
    site->engine->finish();
    timing.cores[site->number] = site->core->stats();
    stats_.add(site->engine->stats());
  }
  timing.memory = system_.stats().since(before);
  for (size_t i = 0; side_by_side_ && i < options_.observers.size(); ++i)
    for (const std::unique_ptr<Site>& site : sites_)
      if (site->observers[i] != options_.observers[i]) options_.observers[i]->add(*site->observers[i]);
  for (const std::shared_ptr<Observer>& observer : options_.observers) observer->launch_ended(stats_);
  check_breakdown();
}

// When nothing of it is under way, all that was asked has been answered.
void CycleLaunch::check() const {
  const CoreStats all = stats_.timing->all_cores();
  for (const CacheStats* cache : {&all.l1, &all.constant, &all.texture, &all.instruction})
    require(cache->misses() == cache->fills + cache->merges + cache->unfetched, "misses are not fills and merges");
  require(stats_.blocks == grid_blocks_, "a block was lost");
}

void CycleLaunch::check_breakdown() const {
  for (const CoreStats& core : stats_.timing->cores)
    require(core.cycles() == stats_.timing->cycles * stats_.timing->sub_cores,
            "the breakdown of a core does not sum to its cycles");
}

}  // namespace heddle

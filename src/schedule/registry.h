// The schedulers there are: a row per choice.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "config/config.h"
#include "schedule/scheduler.h"

namespace heddle {

struct SchedulerRow {
  std::string_view name;
  std::string_view summary;
  std::span<const Key> keys;  // its parameters
  std::unique_ptr<Scheduler> (*make)(const Host&, const Config&);
};

std::span<const SchedulerRow> schedulers();
const SchedulerRow& scheduler_named(std::string_view name);  // Error (Usage) that lists the names
// With the parameters of its row, and no others.
std::unique_ptr<Scheduler> make_scheduler(const SchedulerRow& row, const Host& host, const Config& config);

}  // namespace heddle

#include "experiment/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "report/run_json.h"
#include "run/command.h"
#include "run/runner.h"

namespace heddle {
namespace {

// What contradicts itself is known only when the machine is built.
Record record_of_run(const RunSpec& spec, std::atomic<bool>* stop) {
  try {
    RunHooks hooks;
    hooks.stop = stop;
    hooks.silent = true;
    hooks.complain = [](const std::string&) {};  // the record has it
    return record_of(execute(spec, hooks));
  } catch (const std::exception& error) {
    return {static_cast<int>(code_of(error)), text_of(error), 0, nlohmann::ordered_json::object()};
  }
}

bool ended_with(const Record& record, ExitCode code) { return record.exit_code == static_cast<int>(code); }

}  // namespace

size_t Batch::need(RunSpec spec) {
  RunIdentity identity = identity_of(spec);
  const auto [entry, added] = by_key_.try_emplace(identity.key, runs_.size());
  if (!added) return entry->second;
  std::optional<Record> record = store_.find(identity);
  if (record) {
    ++found_;
    under_way_.took(kind_of(spec), record->seconds);
  }
  runs_.push_back({std::move(spec), std::move(identity), std::move(record)});
  return entry->second;
}

// Runs of one kind take about as long.
std::string Batch::kind_of(const RunSpec& spec) { return fmt::format("{} {} {}", spec.program, spec.size, spec.timed); }

void Batch::look_again() {
  for (Run& run : runs_)
    if (!run.record) run.record = store_.find(run.identity);
}

bool Batch::complete(const Shard& shard) const {
  for (size_t i = 0; i < runs_.size(); ++i)
    if (shard.has(i) && !runs_[i].record) return false;
  return true;
}

void Batch::run(unsigned jobs, std::atomic<bool>* stop, const Shard& shard) {
  std::vector<Run*> missing;
  for (size_t i = 0; i < runs_.size(); ++i)
    if (shard.has(i) && !runs_[i].record) missing.push_back(&runs_[i]);
  const unsigned threads_wanted = jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
  under_way_.start(runs_.size() - missing.size(), threads_wanted);
  for (const Run* run : missing) under_way_.expect(kind_of(run->spec));
  std::atomic<size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < std::min<size_t>(threads_wanted, missing.size()); ++i)
      threads.emplace_back([&] {
        for (size_t at = next++; at < missing.size() && !(stop && *stop); at = next++) perform(*missing[at], stop);
      });
  }
  if (!failure_.empty()) throw Error(ExitCode::Usage, failure_);
}

void Batch::perform(Run& run, std::atomic<bool>* stop) {
  const auto start = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    if (!failure_.empty()) return;
  }
  const auto number = static_cast<size_t>(&run - runs_.data());
  under_way_.begins(number, fmt::format("{} under {}", run.spec.program, run.spec.mechanism), kind_of(run.spec));
  Record record = record_of_run(run.spec, stop);
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const bool lacking = ended_with(record, ExitCode::Host);
  const bool made = !lacking && !ended_with(record, ExitCode::Interrupted);
  std::string failure;
  try {
    if (worth_keeping(record)) store_.keep(run.spec, run.identity, record);
  } catch (const Error& error) {
    failure = error.what();
  }
  under_way_.ends(number, made);
  const std::lock_guard lock(mutex_);
  if (!failure.empty()) failure_ = failure;
  if (lacking && lacking_.empty()) lacking_ = command_of(run.spec) + ": " + record.error;
  if (!made) return;
  run.record = std::move(record);
}

size_t Batch::missing() const {
  return static_cast<size_t>(
      std::count_if(runs_.begin(), runs_.end(), [](const Run& run) { return !run.record.has_value(); }));
}

std::vector<std::string> Batch::problems() const {
  std::vector<std::string> result;
  for (const Run& run : runs_)
    if (run.record && !run.record->passed() && !is_answer(run.spec, static_cast<ExitCode>(run.record->exit_code)))
      result.push_back(fmt::format("{}: {}", command_of(run.spec), run.record->error));
  return result;
}

}  // namespace heddle

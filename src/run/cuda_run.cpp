#include "run/cuda_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "runtime/foreign_libraries.h"
#include "runtime/program_process.h"
#include "runtime/service.h"

namespace heddle {
namespace {

constexpr int kOfOthers[] = {SIGHUP, SIGINT, SIGKILL, SIGTERM};  // no program sends them to itself by a mistake

}  // namespace

CudaRun::CudaRun(const RunSpec& spec, const RunHooks& hooks)
    : spec_(spec),
      hooks_(hooks),
      config_(config_of(spec)),
      how_(gpu_options_of(spec, hooks)),
      stop_(hooks.stop ? *hooks.stop : never_) {
  Gpu(config_, how_);
}

RunResult CudaRun::run() {
  const runtime::Executable executable = runtime::read_executable(runtime::find_executable(spec_.program));
  runtime::check_executable(executable);
  if (hooks_.warn)
    for (const std::string& note : runtime::notes_on_foreign_libraries(executable)) hooks_.warn(note);
  runtime::Service service([this](int socket) {
    try {
      serve(socket);
    } catch (const std::exception& error) {  // the program finds the connection closed
      note_broken({code_of(error), text_of(error)});
    }
  });
  std::vector<std::string> words{spec_.program};
  words.insert(words.end(), spec_.arguments.begin(), spec_.arguments.end());
  const pid_t process = runtime::start_program(executable, words, service.path(), hooks_.silent, hooks_.output);
  const runtime::ProgramEnd end = runtime::wait_for_program(process, &stop_);
  interrupted_ = stop_;
  if (interrupted_) service.kill_all();                   // whom the program has started
  if (interrupted_ || end.signal != 0) given_up_ = true;  // whoever died has no use for what is still to be launched
  service.finish();
  if (const std::string why = service.refused(); !why.empty()) note_broken({ExitCode::Host, why});
  RunResult result = measured();
  result.ended_with = end.code;
  if (!result.failure) result.failure = broken_;
  note_end(result, end.signal);
  warn_of_unknown_kernels(result);
  return result;
}

void CudaRun::note_end(RunResult& result, int signal) const {
  if (!interrupted_ && signal == 0) return;
  const std::string message =
      interrupted_ ? "interrupted"
                   : fmt::format("{} was ended by signal {} ({})", spec_.program, signal, strsignal(signal));
  hooks_.complain(message);
  std::erase_if(result.findings, [](const check::Finding& finding) {  // it had no time to free anything
    return finding.kind == check::Finding::Kind::Leak;
  });
  const bool from_outside = interrupted_ || std::ranges::find(kOfOthers, signal) != std::end(kOfOthers);
  if (!result.failure || result.failure->code == ExitCode::Interrupted)
    result.failure = Failure{from_outside ? ExitCode::Interrupted : ExitCode::CheckFailed, message};
}

void CudaRun::note_broken(const Failure& failure) {
  hooks_.complain(failure.message);
  const std::lock_guard lock(mutex_);
  if (!broken_) broken_ = failure;
}

void CudaRun::serve(int socket) {
  runtime::Greeting greeting;
  if (!runtime::receive_greeting(socket, greeting)) return;
  std::string printed;
  GpuOptions how = how_;
  how.stop = &given_up_;
  how.memory = {greeting.base, true};
  how.printed = &printed;
  if (!spec_.strict) how.stray_load = [this](const std::string& text) { warn_of_stray_load(text); };
  Gpu gpu(config_, std::move(how));
  runtime::Session session(socket, gpu, greeting.program, printed, session_hooks());
  RunResult result = measure(gpu, spec_, [&]() -> std::optional<workloads::Check> {
    session.serve();
    if (session.failure()) throw Error(*session.failure());
    return std::nullopt;
  });
  warn_of_missing_lines(gpu, result);
  const std::lock_guard lock(mutex_);
  if (!all_)
    all_ = std::move(result);
  else
    add_process(*all_, std::move(result));
}

// Of a program that never asked for a GPU, nothing.
RunResult CudaRun::measured() {
  if (all_) return std::move(*all_);
  Gpu gpu(config_, how_);
  return measure(gpu, spec_, [] { return std::nullopt; });
}

// Once is enough: programs that do this do it in every launch.
void CudaRun::warn_of_stray_load(const std::string& text) {
  if (hooks_.warn && !warned_.exchange(true))
    hooks_.warn(text + "\n  (it went through, as on hardware; with --strict it is a fault)");
}

// A message about a kernel names its PTX only, which nobody wrote.
void CudaRun::warn_of_missing_lines(const Gpu& gpu, const RunResult& result) const {
  if (!hooks_.warn || !result.failure || gpu.launches().empty()) return;
  const bool in_kernel = result.failure->code == ExitCode::Fault || result.failure->code == ExitCode::Deadlock;
  if (in_kernel && gpu.kernel(gpu.launches().back().kernel)->files.empty()) hooks_.warn(std::string(kNoLines));
}

// Its kernels are known when it has run.
void CudaRun::warn_of_unknown_kernels(const RunResult& result) const {
  if (!hooks_.warn) return;
  for (const std::string& setting : settings_read(spec_))
    for (const Key& key : result.keys) {
      if (key.name != key_of(setting)) continue;
      for (const std::string_view name : config_.kernels_named(key))
        if (std::none_of(result.launches.begin(), result.launches.end(),
                         [&](const LaunchResult& launch) { return launch.stats.kernel == name; }))
          hooks_.warn(fmt::format("--set {}: {} launched no kernel '{}'", setting, spec_.program, name));
    }
}

runtime::SessionHooks CudaRun::session_hooks() const {
  return {.complain = hooks_.complain, .warn = hooks_.warn, .loaded = hooks_.loaded, .fetched = hooks_.fetched};
}

}  // namespace heddle

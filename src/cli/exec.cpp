// heddle exec: a CUDA program as it is, on the simulator.
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "cli/machine_options.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "report/branch_table.h"
#include "report/run_json.h"
#include "report/run_table.h"
#include "report/table.h"
#include "runtime/program_process.h"
#include "runtime/service.h"
#include "runtime/session.h"

namespace heddle::cli {
namespace {

struct ExecOptions {
  std::string mechanism = GpuOptions().mechanism, keep_ptx;
  bool branches = false, strict = false;
  std::vector<std::string> words;  // the program and its arguments
  MachineOptions machine;
};

void keep_ptx(const std::string& folder, const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) print_warning(fmt::format("cannot write '{}'", path.string()));
}

// The processes of the program, each with a GPU of its own, and what they measured.
class Programs {
 public:
  // Fails here on options that make no sense, before anything is started.
  explicit Programs(const ExecOptions& options)
      : options_(options),
        config_(options.machine.config()),
        how_(options.machine.gpu_options(options.mechanism, stop_on_interrupt())) {
    Gpu(config_, how_);
    how_.instruments.compaction = options.branches;
    how_.progress = &slots;
  }

  void serve(int socket) {
    runtime::Greeting greeting;
    if (!runtime::receive_greeting(socket, greeting)) return;
    std::string printed;
    GpuOptions how = how_;
    how.memory = {greeting.base, true};
    how.printed = &printed;
    if (!options_.strict) how.stray_load = [this](const std::string& text) { warn_of_stray_load(text); };
    Gpu gpu(config_, std::move(how));
    runtime::Session session(socket, gpu, greeting.program, printed, hooks());
    RunResult result = measure(gpu, greeting.program, [&]() -> std::optional<workloads::Check> {
      session.serve();
      if (session.failure()) throw Error(*session.failure());
      return std::nullopt;
    });
    const std::lock_guard lock(mutex_);
    if (!all_)
      all_ = std::move(result);
    else
      add_process(*all_, std::move(result));
  }

  // What was measured; of a program that never asked for a GPU, nothing.
  RunResult result() {
    if (all_) return std::move(*all_);
    Gpu gpu(config_, how_);
    return measure(gpu, options_.words[0], [] { return std::nullopt; });
  }

  std::atomic<uint64_t> slots = 0;

 private:
  // Once is enough: programs that do this do it in every launch.
  void warn_of_stray_load(const std::string& text) {
    if (options_.machine.quiet || warned_.exchange(true)) return;
    print_warning(text + "\n  (it went through, as on hardware; with --strict it is a fault)");
  }

  runtime::SessionHooks hooks() const {
    runtime::SessionHooks hooks;
    hooks.complain = [](const std::string& text) { print_error(text); };
    if (!options_.machine.quiet) hooks.warn = [](const std::string& text) { print_warning(text); };
    if (!options_.keep_ptx.empty())
      hooks.loaded = [folder = options_.keep_ptx](const std::string& name, const std::string& text) {
        keep_ptx(folder, name, text);
      };
    return hooks;
  }

  const ExecOptions& options_;
  const Config config_;
  GpuOptions how_;
  std::atomic<bool> warned_ = false;
  std::mutex mutex_;
  std::optional<RunResult> all_;
};

struct Ended {
  int code;
  std::optional<Failure> violently;  // not by itself
};

std::optional<Failure> violent_end(const std::string& program, int signal) {
  if (interrupted()) return Failure{ExitCode::Interrupted, "interrupted"};
  if (signal == 0) return std::nullopt;
  return Failure{ExitCode::Interrupted,
                 fmt::format("{} was ended by signal {} ({})", program, signal, strsignal(signal))};
}

Ended run_program(const ExecOptions& options, Programs& programs) {
  const runtime::Executable executable = runtime::read_executable(runtime::find_executable(options.words[0]));
  runtime::check_executable(executable);
  stop_on_interrupt();
  runtime::Service service([&](int socket) {
    try {
      programs.serve(socket);
    } catch (const std::exception& error) {  // the program finds the connection closed
      print_error(error.what());
    }
  });
  const Progress progress(!options.machine.quiet, [&] {
    return fmt::format("{}: {} issue slots of this launch", options.words[0], grouped(programs.slots.load()));
  });
  const pid_t process = runtime::start_program(executable, options.words, service.path());
  const runtime::ProgramEnd end = runtime::wait_for_program(process, stop_on_interrupt());
  Ended ended{end.code, violent_end(options.words[0], end.signal)};
  if (interrupted()) service.kill_all();  // whom the program has started
  if (end.signal != 0) stop_now();        // whoever died has no use for what is still to be launched
  service.finish();
  return ended;
}

ExitCode exec(const ExecOptions& options) {
  if (options.words.empty()) throw Error(ExitCode::Usage, "no program given: heddle exec [options] -- ./app arguments");
  OutputFile json(options.machine.json);
  Programs programs(options);
  const Ended ended = run_program(options, programs);
  RunResult result = programs.result();
  result.program = options.words[0];
  result.preset = options.machine.preset;
  if (ended.violently) {
    print_error(ended.violently->message);
    if (!result.failure || result.failure->code == ExitCode::Interrupted) result.failure = ended.violently;
  }
  if (result.launches.empty() && !options.machine.quiet)
    print_warning(fmt::format("{} launched no kernel", options.words[0]));
  if (!options.machine.quiet && !result.launches.empty()) {
    const std::string table = run_table(result) + (options.branches ? '\n' + branch_table(result) : "");
    fmt::print(stderr, "{}", table);
  }
  nlohmann::ordered_json written = run_json(result);
  written["exit_code"] = ended.code;  // the program's own, whatever it made of an error
  json.write(written);
  return static_cast<ExitCode>(ended.code);
}

}  // namespace

Action declare_exec(CLI::App& command) {
  auto options = std::make_shared<ExecOptions>();
  ExecOptions& o = *options;
  command.add_option("program", o.words, "the program and its arguments, behind --")->required();
  command.add_option("--mechanism", o.mechanism, "divergence mechanism (heddle list mechanisms)")
      ->capture_default_str();
  o.machine.declare(command);
  for (const char* name : {"--size", "--compiler"}) command.remove_option(command.get_option(name));
  command.add_flag("--branches", o.branches,
                   "a table of the branches at which threads part, and how well they compact under tbc");
  command.add_flag("--strict", o.strict, "loads just beside an allocation are faults; else they are warned of once");
  command.add_option("--keep-ptx", o.keep_ptx, "write the PTX found in the program into this folder");
  return [options] { return exec(*options); };
}

}  // namespace heddle::cli

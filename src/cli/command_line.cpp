#include "cli/command_line.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "base/version.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/option_groups.h"
#include "cli/verb.h"

namespace heddle::cli {
namespace {

constexpr Verb kVerbs[] = {
    {"run", "run a workload, or a kernel of a PTX file",
     "  heddle run bfs --mechanism pdom --size tiny\n"
     "  heddle run add.ptx --kernel add --grid 4 --block 256 --arg file:a.bin --arg file:b.bin\n"
     "      --arg zeros:4096@sum.bin --arg u32:1024",
     &declare_run},
    {"exec", "run a CUDA program as it is",
     "  heddle exec --mechanism tbc -- ./app 1024\n"
     "  heddle exec --emulate --json app.json -- ./app",
     &declare_exec},
    {"compare", "run workloads under several mechanisms, side by side",
     "  heddle compare bfs mandelbrot --mechanisms pdom --size tiny", &declare_compare},
    {"sweep", "run workloads over a product of mechanisms and values of keys, and say what is best where",
     "  heddle sweep bfs mum --mechanisms pdom,tbc --vary warp_size=8..32*2 --preset tbc-hpca11\n"
     "  heddle sweep bfs --vary l1_bytes=16k..128k*2 --vary schedule=rrb,gto --csv bfs.csv\n"
     "  heddle sweep --exec --mechanisms pdom,its --vary cores=8..32*2 -- ./app 1000",
     &declare_sweep},
    {"reproduce", "measure what the papers claim, and say what holds",
     "  heddle reproduce tbc.1 --quick\n  heddle reproduce all-on-one --quick --details\n"
     "  heddle reproduce --markdown docs/reproduction.md",
     &declare_reproduce},
    {"validate",
     "hold a simulated GPU against a real one: microbenchmarks and workloads beside the hardware's counters",
     "  heddle validate --micro\n"
     "  heddle validate bfs matmul --html validation.html",
     &declare_validate},
    {"profile", "why it is slow: what each source line and each branch costs",
     "  heddle profile bfs --emulate --taint\n"
     "  heddle profile bfs --what-if tbc,its --html profile.html\n"
     "  heddle profile app.cu",
     &declare_profile},
    {"view", "a run as a web page that plays it: lanes by issue slot, code, the mechanism's state",
     "  heddle view bitonic --mechanism tbc,pdom -o view.html\n"
     "  heddle view branch.ptx --grid 1 --block 32 --arg zeros:128 --emulate\n"
     "  heddle view --kernel expand --trace-block 0 -- ./app 1024\n"
     "  heddle view --gallery",
     &declare_view},
    {"report", "results as one web page with charts",
     "  heddle compare bfs mandelbrot --mechanisms pdom,tbc,capri --preset tbc-hpca11 --json results.json\n"
     "  heddle report results.json -o report.html",
     &declare_report},
    {"list", "what there is: workloads, mechanisms, lanes, presets, keys",
     "  heddle list mechanisms\n  heddle list workloads --size small", &declare_list},
    {"disasm", "show decoded kernels: blocks, dominators, reconvergence, registers",
     "  heddle disasm bfs\n  heddle disasm add.ptx --kernel add --dot | dot -Tsvg > add.svg", &declare_disasm},
    {"cc", "compile a CUDA program with clang, without the CUDA toolkit, for heddle exec",
     "  heddle cc app.cu -o app && heddle exec --emulate -- ./app\n  heddle cc -O3 -Iinclude -c kernels.cu -o "
     "kernels.o",
     &declare_cc},
    {"help", "help on a verb", "  heddle help run", &declare_help, true},
    {"completion", "a completion script for a shell", "  heddle completion bash", &declare_completion, true},
    {"man", "the manual page", "  heddle man run | man -l -", &declare_man, true},
};

// CLI11 would only say that an argument was not expected, or that a subcommand is required.
void check_verb(std::string_view word) {
  if (word == "-h" || word == "--help" || word == "--version") return;
  std::vector<std::string_view> names;
  for (const Verb& verb : kVerbs) {
    if (verb.name == word) return;
    if (!verb.hidden) names.push_back(verb.name);
  }
  if (word.starts_with('-')) throw Error(ExitCode::Usage, fmt::format("heddle has no option '{}' before a verb", word));
  throw Error(ExitCode::Usage,
              fmt::format("no verb '{}'{} (verbs: {})", word, did_you_mean(word, names), joined(names)));
}

// CLI11 lists what it did not expect, values too, in reverse.
std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError) || app.get_subcommands().empty())
    return error.what();
  const CLI::App& command = *app.get_subcommands().front();
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(fmt::format("--{}", name));
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string& word : command.remaining())
    if (word.starts_with('-')) {
      const std::string option = word.substr(0, word.find('='));
      return fmt::format("heddle {} has no option '{}'{}", command.get_name(), option, did_you_mean(option, known));
    }
  return fmt::format("heddle {}: '{}' was not expected", command.get_name(), command.remaining().front());
}

ExitCode dispatch(int argc, const char* const* argv) {
  CLI::App app("heddle: a SIMT GPU simulator, a laboratory for control divergence", "heddle");
  app.set_version_flag("--version", fmt::format("heddle {} ({})", version(), build_text()));
  app.require_subcommand(1);
  app.footer("Exit codes: docs/exit-codes.md. heddle help VERB, or heddle VERB --help, explains a verb.");
  std::map<const CLI::App*, Action> actions;
  for (const Verb& verb : kVerbs) {
    CLI::App* command = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    command->footer(fmt::format("Examples:\n{}", verb.examples));
    if (verb.hidden) command->group("");
    actions[command] = verb.declare(*command);
  }
  put_into_groups(app);
  if (argc < 2) {
    fmt::print(stderr, "{}", with_headings(app.help(), stderr));
    throw Error(ExitCode::Usage, "no verb given");
  }
  check_verb(argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      std::ostringstream text;
      app.exit(error, text, text);
      fmt::print("{}", with_headings(text.str(), stdout));
      return ExitCode::Ok;
    }
    throw Error(ExitCode::Usage, fmt::format("{} (see heddle {} --help)", explain(error, app), argv[1]));
  }
  return actions.at(app.get_subcommands().front())();
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  ExitCode code = ExitCode::Internal;
  try {
    code = dispatch(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error(ExitCode::Usage, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  } catch (const std::exception& error) {
    code = code_of(error);
    print_error(text_of(error));
  }
  return static_cast<int>(code);
}

}  // namespace heddle::cli

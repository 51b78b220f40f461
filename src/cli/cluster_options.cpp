#include "cli/cluster_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "runtime/child_process.h"

namespace heddle::cli {
namespace {

// Options of the whole that its parts do not have; all but the last take a value.
constexpr std::string_view kOfTheWhole[] = {"--slurm", "--sbatch", "--json", "--csv", "--markdown", "--originals"};
constexpr std::string_view kFlagOfTheWhole = "--details";

std::vector<std::string> own_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) words.emplace_back(text.c_str() + at);
  words.front() = std::filesystem::read_symlink("/proc/self/exe").string();
  return words;
}

// The command of a part: "--x value" and "--x=value" of the whole are left out.
std::vector<std::string> words_of_part(const std::vector<std::string>& whole) {
  std::vector<std::string> words;
  for (size_t i = 0; i < whole.size(); ++i) {
    const std::string_view word = whole[i], name = word.substr(0, word.find('='));
    const bool left_out = std::find(std::begin(kOfTheWhole), std::end(kOfTheWhole), name) != std::end(kOfTheWhole);
    if (left_out && name == word) ++i;
    if (!left_out && word != kFlagOfTheWhole) words.push_back(whole[i]);
  }
  return words;
}

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string script_of_part(unsigned tasks) {
  const std::vector<std::string> own = own_words();
  const auto program = std::find(own.begin(), own.end(), "--");  // what is behind it are no options of ours
  const std::vector<std::string> words = words_of_part({own.begin(), program});
  std::string text = "exec";
  for (const std::string& word : words) text += " " + quoted(word);
  const bool has_jobs =
      std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("--jobs"); });
  if (!has_jobs) text += " --jobs ${SLURM_CPUS_ON_NODE:-0}";
  text += fmt::format(" --quiet --shard $SLURM_ARRAY_TASK_ID/{}", tasks);
  for (auto word = program; word != own.end(); ++word) text += " " + quoted(*word);
  return text;
}

}  // namespace

void ClusterOptions::declare(CLI::App& command) {
  CLI::Option* const shard = command.add_option("--shard", shard_,
                                                "I/N: only the I-th of N parts of the runs, into the folder of "
                                                "--results; any machine that sees it may do another");
  command
      .add_option("--slurm", tasks_,
                  "N: have Slurm do the runs, in a job array of N tasks over the folder of --results, and wait for it; "
                  "what they leave undone is done here")
      ->check(CLI::Range(1, 100000))
      ->excludes(shard);
  command.add_option("--sbatch", sbatch_, "with --slurm: an option for its sbatch, such as --sbatch=--partition=long")
      ->allow_extra_args(false);
}

void ClusterOptions::do_elsewhere(const Batch& batch, const std::string& results, bool quiet) const {
  if (tasks_ == 0) {
    if (!sbatch_.empty()) throw Error(ExitCode::Usage, "--sbatch says how --slurm is done: give that, too");
    return;
  }
  if (batch.complete()) return;
  const std::string log = std::filesystem::absolute(results).string() + "/slurm-%A_%a.log";
  std::vector<std::string> words{"sbatch",          "--quiet",           "--wait",
                                 "--requeue",       "--job-name=heddle", fmt::format("--array=1-{}", tasks_),
                                 "--output=" + log, "--open-mode=append"};
  words.insert(words.end(), sbatch_.begin(), sbatch_.end());
  words.push_back("--wrap=" + script_of_part(tasks_));
  if (!quiet)
    fmt::print(stderr, "{} runs in {} tasks of Slurm; what they say is in {}\n", batch.missing(), tasks_, log);
  const int code = runtime::run_command(words);
  if (code != 0 && !quiet) fmt::print(stderr, "sbatch ended with {}: what is missing is done here\n", code);
}

std::string ClusterOptions::summary(const Batch& batch, const Shard& shard, const std::string& results) {
  return fmt::format("part {}/{} is done; of all {} runs {} are missing in {}\n", shard.index + 1, shard.count,
                     batch.count(), batch.missing(), results);
}

}  // namespace heddle::cli

// Help, colours, completion and manual pages, as the shells and man(1) take them.
#include <fmt/format.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <regex>

#include "cli/heddle_program.h"

namespace heddle::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Help : public HeddleProgram {
 protected:
  // What a shell command prints; HEDDLE is the program.
  std::string shell(const std::string& command) {
    const std::string all = fmt::format("cd '{}' && HEDDLE='{}'; {}", path(""), program(), command);
    std::FILE* pipe = popen(fmt::format("bash -c \"$(cat <<'END'\n{}\nEND\n)\" 2>&1", all).c_str(), "r");
    std::string text;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    pclose(pipe);
    return text;
  }

  // What the program prints on a terminal.
  std::string on_terminal(const std::vector<std::string>& arguments, const char* no_color = nullptr) {
    std::vector<std::string> words{program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (pid == 0) {
      setenv("TERM", "xterm", 1);
      unsetenv("NO_COLOR");
      if (no_color) setenv("NO_COLOR", no_color, 1);
      execv(argv[0], argv.data());
      _exit(127);
    }
    std::string text;
    char piece[4096];
    for (ssize_t n = 0; (n = read_some(terminal, piece)) > 0;) text.append(piece, static_cast<size_t>(n));
    close(terminal);
    waitpid(pid, nullptr, 0);
    return text;
  }

  // The words that bash offers behind a line.
  std::string completed(const std::string& line) {
    return shell(fmt::format(
        R"(source <("$HEDDLE" completion bash); COMP_LINE='{0}'; COMP_WORDS=({0}); [[ '{0}' == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _heddle; printf '%s\n' "${{COMPREPLY[@]}}")",
        line));
  }

 private:
  static ssize_t read_some(int terminal, char (&piece)[4096]) { return ::read(terminal, piece, sizeof piece); }
};

TEST_F(Help, OfAVerbIsTheSameByEitherName) {
  for (const char* verb : {"run", "compare", "disasm"}) {
    const Ended ended = heddle({"help", verb});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out, heddle({verb, "--help"}).out);
  }
  EXPECT_EQ(heddle({"help"}).out, heddle({"--help"}).out);
  const Ended wrong = heddle({"help", "rum"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("no verb 'rum'"));
}

TEST_F(Help, IsInGroups) {
  EXPECT_THAT(heddle({"--help"}).out,
              testing::AllOf(HasSubstr("\nRun programs:\n  run "), HasSubstr("\nMeasure and compare:\n"),
                             HasSubstr("\nLook around:\n"), Not(HasSubstr("Subcommands:"))));
  EXPECT_THAT(heddle({"run", "--help"}).out,
              testing::AllOf(HasSubstr("\nMachine:\n"), HasSubstr("\nOutput:\n"), HasSubstr("\nLimits:\n")));
}

TEST_F(Help, HasColoursOnATerminalOnlyAndNotWithNoColor) {
  EXPECT_THAT(on_terminal({"--help"}), HasSubstr("\033[1mRun programs:\033[0m"));
  EXPECT_THAT(on_terminal({"rum"}), HasSubstr("heddle: \033[1;31merror\033[0m: no verb 'rum'"));
  EXPECT_THAT(on_terminal({"list", "lanes"}), testing::StartsWith("\033[1mname "));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"rum"}, {"list", "lanes"}})
    EXPECT_THAT(on_terminal(words, "1"), Not(HasSubstr("\033"))) << words[0];
  EXPECT_THAT(heddle({"--help"}).out + heddle({"rum"}).err + heddle({"list", "lanes"}).out, Not(HasSubstr("\033")));
}

TEST_F(Help, TheVersionNamesTheCommitAndWhatBuiltIt) {
  EXPECT_TRUE(std::regex_match(heddle({"--version"}).out,
                               std::regex("heddle [0-9.]+ \\(commit ([0-9a-f]{10}(\\+changes)?|unknown), "
                                          "(GNU|Clang) [0-9.]+, [A-Za-z]+, \\w+\\)\n")));
}

TEST_F(Help, BashCompletesVerbsOptionsAndNames) {
  EXPECT_EQ(completed("heddle re"), "reproduce\nreport\n");
  EXPECT_EQ(completed("heddle run --mech"), "--mechanism\n");
  EXPECT_EQ(completed("heddle run --mechanism tbc-i"), "tbc-ideal\n");
  EXPECT_EQ(completed("heddle run --preset tbc-h"), "tbc-hpca11\n");
  EXPECT_EQ(completed("heddle run mandel"), "mandelbrot\n");
  EXPECT_EQ(completed("heddle help dis"), "disasm\n");
  write("mine.ptx", "");
  EXPECT_EQ(completed("heddle run mine"), "mine.ptx\n");
  EXPECT_EQ(completed("heddle report mi"), "mine.ptx\n");
}

TEST_F(Help, EveryOptionOfAVerbIsInEveryCompletion) {
  const std::string help = heddle({"run", "--help"}).out;
  const std::string bash = heddle({"completion", "bash"}).out, zsh = heddle({"completion", "zsh"}).out,
                    fish = heddle({"completion", "fish"}).out, man = heddle({"man", "run"}).out;
  const std::regex option("\n  (?:-\\w,)?--([a-z-]+)");
  int options = 0;
  for (std::sregex_iterator each(help.begin(), help.end(), option), end; each != end; ++each, ++options) {
    const std::string name = (*each)[1];
    EXPECT_THAT(bash, HasSubstr("--" + name + " "));
    EXPECT_THAT(zsh, HasSubstr("--" + name + "["));
    EXPECT_THAT(fish, HasSubstr("-l " + name + " "));
    EXPECT_THAT(man, HasSubstr("\\-\\-" + std::regex_replace(name, std::regex("-"), "\\-")));
  }
  EXPECT_GT(options, 15);
  EXPECT_EQ(heddle({"completion", "tcsh"}).code, 2);
}

TEST_F(Help, ShellsReadTheirCompletions) {
  for (const char* name : {"bash", "zsh", "fish"})
    EXPECT_EQ(
        shell(fmt::format("\"$HEDDLE\" completion {0} > script; ! command -v {0} >/dev/null || {0} -n script", name)),
        "")
        << name;
}

TEST_F(Help, ManualPagesAreWithoutAWarning) {
  const std::string verbs = heddle({"man", "--verbs"}).out;
  EXPECT_THAT(verbs, HasSubstr("run\n"));
  EXPECT_EQ(shell("command -v man >/dev/null || exit 0\n"
                  "for verb in '' $(\"$HEDDLE\" man --verbs); do \"$HEDDLE\" man $verb > page.1\n"
                  "LC_ALL=C.UTF-8 MANWIDTH=120 man --warnings -E UTF-8 -l page.1 2>&1 >/dev/null; done"),
            "");
  EXPECT_THAT(heddle({"man"}).out, HasSubstr(".BR heddle\\-run (1)"));
  EXPECT_EQ(heddle({"man", "rum"}).code, 2);
}

}  // namespace
}  // namespace heddle::cli

// heddle completion: a script that teaches a shell the verbs, options and names of heddle.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>

#include "cli/command_words.h"
#include "cli/verb.h"

namespace heddle::cli {
namespace {

std::string joined_words(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// Every option that takes a value, of whatever verb: an option of one name means one thing.
std::map<std::string, std::vector<std::string>> options_with_values(const std::vector<VerbWords>& verbs) {
  std::map<std::string, std::vector<std::string>> options;
  for (const VerbWords& verb : verbs)
    for (const OptionWords& option : verb.options)
      if (!option.value.empty())
        for (const std::string& name : option.names) options[name] = option.choices;
  return options;
}

std::string bash(const std::vector<VerbWords>& verbs) {
  std::string names, values, of_verbs;
  for (const VerbWords& verb : verbs) {
    names += verb.name + " ";
    std::string options;
    for (const OptionWords& option : verb.options) options += joined_words(option.names) + " ";
    of_verbs += fmt::format("    {}) options=\"{}\" words=\"{}\" ;;\n", verb.name, options, joined_words(verb.choices));
  }
  for (const auto& [name, choices] : options_with_values(verbs))
    values += choices.empty() ? fmt::format("    {}) COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n", name)
                              : fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); return ;;\n",
                                            name, joined_words(choices));
  return fmt::format(R"(# bash completion of heddle, written by `heddle completion bash`.
_heddle() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} options= words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}help --help --version" -- "$current"))
    return
  fi
  case $previous in
    help) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
{}  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -o nosort -F _heddle heddle
)",
                     names, names, values, of_verbs);
}

// A word in single quotes, for zsh and fish.
std::string shell_word(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string without(std::string text, std::string_view characters) {
  std::erase_if(text, [&](char c) { return characters.find(c) != std::string_view::npos; });
  return text;
}

std::string zsh(const std::vector<VerbWords>& verbs) {
  std::string names, of_verbs;
  for (const VerbWords& verb : verbs) {
    names += "    " + shell_word(fmt::format("{}:{}", verb.name, verb.summary)) + "\n";
    of_verbs += fmt::format("    {})\n      _arguments \\\n", verb.name);
    for (const OptionWords& option : verb.options)
      for (const std::string& name : option.names) {
        std::string value;
        if (!option.value.empty())
          value = option.choices.empty() ? ":file:_files" : fmt::format(":value:({})", joined_words(option.choices));
        const std::string summary = without(option.summary, "[]:\\");
        of_verbs += fmt::format("        {} \\\n", shell_word(fmt::format("*{}[{}]{}", name, summary, value)));
      }
    of_verbs += verb.choices.empty()
                    ? "        '*:file:_files' ;;\n"
                    : fmt::format("        '*: :_alternative \"names:name:({})\" \"files:file:_files\"' ;;\n",
                                  joined_words(verb.choices));
  }
  return fmt::format(R"(#compdef heddle
# zsh completion of heddle, written by `heddle completion zsh`.
local -a verbs
verbs=(
{})
if (( CURRENT == 2 )); then
  _describe verb verbs
  return
fi
local verb=$words[2]
shift words
(( CURRENT-- ))
case $verb in
{}esac
)",
                     names, of_verbs);
}

std::string fish(const std::vector<VerbWords>& verbs) {
  std::string text = "# fish completion of heddle, written by `heddle completion fish`.\n";
  for (const VerbWords& verb : verbs) {
    text += fmt::format("complete -c heddle -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                        shell_word(verb.summary));
    const std::string in = fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}'", verb.name);
    if (!verb.choices.empty()) text += fmt::format("{} -a {}\n", in, shell_word(joined_words(verb.choices)));
    for (const OptionWords& option : verb.options) {
      text += in;
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty())
        text += option.choices.empty() ? " -r" : " -x -a " + shell_word(joined_words(option.choices));
      text += fmt::format(" -d {}\n", shell_word(option.summary));
    }
  }
  return text;
}

struct Shell {
  const char* name;
  std::string (*script)(const std::vector<VerbWords>&);
};
constexpr Shell kShells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

}  // namespace

Action declare_completion(CLI::App& command) {
  auto wanted = std::make_shared<std::string>();
  command.add_option("shell", *wanted, "bash, zsh or fish")->required();
  return [wanted, &command] {
    for (const Shell& shell : kShells)
      if (shell.name == *wanted) {
        fmt::print("{}", shell.script(command_words(*command.get_parent())));
        return ExitCode::Ok;
      }
    throw Error(ExitCode::Usage, fmt::format("no completion for '{}' (bash, zsh, fish)", *wanted));
  };
}

}  // namespace heddle::cli

// heddle man: the manual page of heddle, or of a verb, in the language of man(1).
#include <fmt/format.h>

#include <memory>

#include "base/version.h"
#include "cli/command_words.h"
#include "cli/verb.h"

namespace heddle::cli {
namespace {

// Text as it is: no requests, no escapes, hyphens that can be copied.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string title(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"heddle {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(plain(name)),
                     version(), plain(name), plain(summary));
}

std::string entry(const OptionWords& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", plain(name));
  if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", plain(option.value));
  return fmt::format(".TP\n{}\n{}\n", names, plain(option.summary));
}

std::string verb_page(const VerbWords& verb) {
  std::string page = title("heddle-" + verb.name, verb.summary);
  page += fmt::format(".SH SYNOPSIS\n\\fBheddle {}\\fR [\\fIoptions\\fR]{}\n", verb.name, plain(verb.usage));
  page += ".SH OPTIONS\n";
  std::string group;
  for (const OptionWords& option : verb.options) {
    if (option.group != group) page += fmt::format(".SS {}\n", plain(option.group));
    group = option.group;
    page += entry(option);
  }
  const std::string examples = verb.examples.substr(verb.examples.find('\n') + 1);
  page += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", plain(examples));
  return page + ".SH SEE ALSO\n.BR heddle (1)\n";
}

std::string main_page(const std::string& summary, const std::vector<VerbWords>& verbs) {
  std::string page = title("heddle", summary);
  page +=
      ".SH SYNOPSIS\n\\fBheddle\\fR \\fIverb\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n.br\n"
      "\\fBheddle help\\fR [\\fIverb\\fR]\n.SH VERBS\n";
  std::string group, others;
  for (const VerbWords& verb : verbs) {
    if (verb.group != group) page += fmt::format(".SS {}\n", plain(verb.group));
    group = verb.group;
    page += fmt::format(".TP\n.BR heddle\\-{} (1)\n{}\n", verb.name, plain(verb.summary));
    others += fmt::format("{}.BR heddle\\-{} (1)", others.empty() ? "" : ",\n", verb.name);
  }
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBNO_COLOR\\fR\nset to anything: no colours, also on a terminal\n"
      ".TP\n\\fBHEDDLE_ROWS\\fR\nwhich instruction set of the host runs the arithmetic of whole warps: base, v2, v3 or "
      "v4 on x86\\-64; the best one there is otherwise\n";
  page +=
      ".SH EXIT STATUS\n0 success, 1 a check failed, 2 usage, 3 a bad program, 4 a bad launch, 5 a fault in a kernel, "
      "6 a deadlock, 7 the mechanism refused the kernel, 8 interrupted, 70 a bug in heddle\n";
  return page + ".SH SEE ALSO\n" + others + "\n";
}

}  // namespace

Action declare_man(CLI::App& command) {
  struct Options {
    std::string verb;
    bool verbs = false;
  };
  auto options = std::make_shared<Options>();
  command.add_option("verb", options->verb, "the page of this verb");
  command.add_flag("--verbs", options->verbs, "only the names of the verbs");
  return [options, &command] {
    const CLI::App& app = *command.get_parent();
    const std::vector<VerbWords> verbs = command_words(app);
    if (options->verbs) {
      for (const VerbWords& verb : verbs) fmt::print("{}\n", verb.name);
      return ExitCode::Ok;
    }
    if (options->verb.empty()) {
      fmt::print("{}", main_page(app.get_description().substr(8), verbs));  // without "heddle: "
      return ExitCode::Ok;
    }
    for (const VerbWords& verb : verbs)
      if (verb.name == options->verb) {
        fmt::print("{}", verb_page(verb));
        return ExitCode::Ok;
      }
    throw Error(ExitCode::Usage, fmt::format("no verb '{}' (see heddle --help)", options->verb));
  };
}

}  // namespace heddle::cli

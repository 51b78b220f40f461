// TOML -> Experiment. Names of workloads, runs and parts are resolved here, so that a wrong one is an error with its
// line.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "divergence/registry.h"
#include "experiment/experiment.h"
#include "experiment/toml_reader.h"
#include "experiment/variant_reader.h"
#include "run/identity.h"
#include "run/runner.h"

namespace heddle {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<Fold> kFolds[] = {
    {"harmonic", Fold::Harmonic}, {"arithmetic", Fold::Arithmetic}, {"max", Fold::Max},  {"min", Fold::Min},
    {"spread", Fold::Spread},     {"share", Fold::Share},           {"each", Fold::Each}};
constexpr Named<FigureUnit> kFigureUnits[] = {{"change", FigureUnit::Change},
                                              {"times", FigureUnit::Times},
                                              {"percent", FigureUnit::Percent},
                                              {"number", FigureUnit::Number}};

template <class Value, size_t N>
Value value_named(const Named<Value> (&rows)[N], std::string_view name, std::string_view place) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) {
    if (row.name == name) return row.value;
    names.push_back(row.name);
  }
  throw Error(ExitCode::Usage, fmt::format("{}: '{}' is not one of {}", place, name, joined(names)));
}

class Reader {
 public:
  Reader(const toml::table& root, std::string_view name, std::string_view file) : file_(file), root_(root, file_) {
    result_.name = name;
  }
  Experiment read();

 private:
  void read_sets();
  void read_occupancy();
  void read_runs();
  RunSpec run_spec(const toml::table& table) const;
  void check_common_settings() const;
  Claim claim(const toml::table& table) const;
  Part part(const toml::table& table) const;
  void read_paper(Part& part, TomlReader& reader) const;
  std::optional<Filter> filter(TomlReader& reader) const;
  void read_orders(Claim& claim, TomlReader& reader) const;
  void read_head_to_head(const toml::table& table);
  std::vector<std::string> workloads_of(const std::vector<std::string>& names, const std::string& place) const;
  void check_run(const std::string& run, const std::string& place) const;

  std::string file_, preset_, compiler_;
  std::vector<std::string> settings_;  // of all runs
  TomlReader root_;
  std::map<std::string, std::vector<std::string>> sets_;
  Experiment result_;
};

Experiment Reader::read() {
  result_.title = root_.required_text("title");
  result_.published = root_.text("published").value_or("");
  result_.quick = root_.text("quick").value_or(result_.quick);
  result_.full = root_.text("full").value_or(result_.full);
  preset_ = root_.text("preset").value_or(RunSpec().preset);
  compiler_ = root_.text("compiler").value_or(RunSpec().compiler);
  settings_ = root_.texts("set");
  workloads::size_named(result_.quick);
  workloads::size_named(result_.full);
  read_sets();
  read_occupancy();
  read_runs();
  if (const toml::array* claims = root_.array("claim"))
    for (const toml::node& each : *claims) {
      if (!each.is_table())
        throw Error(ExitCode::Usage, fmt::format("{}: a claim is a [[claim]]", root_.place_of(each)));
      result_.claims.push_back(claim(*each.as_table()));
    }
  if (const toml::table* table = root_.table("variants")) result_.variants = read_variants(*table, result_, file_);
  if (const toml::table* table = root_.table("head_to_head")) read_head_to_head(*table);
  root_.finish();
  check_common_settings();
  return std::move(result_);
}

// "@name" inside a set is another set that stands before it; "*" is every usual workload.
void Reader::read_sets() {
  const toml::table* sets = root_.table("sets");
  if (!sets) return;
  std::vector<std::pair<const toml::key*, const toml::node*>> rows;  // a table is sorted by name, the file is not
  for (const auto& [key, node] : *sets) rows.emplace_back(&key, &node);
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.second->source().begin.line < b.second->source().begin.line; });
  for (const auto& [key, node] : rows)
    sets_[std::string(key->str())] = workloads_of(root_.texts_of(*node, key->str()), root_.place_of(*node));
}

std::vector<std::string> Reader::workloads_of(const std::vector<std::string>& names, const std::string& place) const {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    if (name == "*") {
      for (const workloads::Workload& workload : workloads::all())
        if (workload.kind == workloads::Kind::Usual) result.emplace_back(workload.name);
    } else if (name.starts_with('@')) {
      const auto found = sets_.find(name.substr(1));
      if (found == sets_.end()) throw Error(ExitCode::Usage, fmt::format("{}: there is no set '{}'", place, name));
      result.insert(result.end(), found->second.begin(), found->second.end());
    } else {
      try {
        workloads::find(name);
      } catch (const Error& error) {
        throw Error(ExitCode::Usage, fmt::format("{}: {}", place, error.what()));
      }
      result.push_back(name);
    }
  }
  return result;
}

// [blocks_per_core]: of a workload a number for all its kernels, or a table of numbers by kernel. Or the name of
// another experiment, whose table it is.
void Reader::read_occupancy() {
  const toml::node* given = root_.node("blocks_per_core");
  if (given && given->is_string()) {
    const std::string other = *given->value<std::string>();
    if (!experiment_has_blocks(other))
      throw Error(ExitCode::Usage,
                  fmt::format("{}: '{}' is no experiment with a table blocks_per_core", root_.place_of(*given), other));
    result_.occupancy = experiment_named(other).occupancy;
    return;
  }
  const toml::table* table = root_.table("blocks_per_core");
  if (!table) return;
  for (const auto& [key, node] : *table) {
    std::string value;
    const auto add = [&](const std::string& before, const toml::node& number) {
      if (!number.is_integer())
        throw Error(ExitCode::Usage,
                    fmt::format("{}: blocks_per_core is a number, or numbers by kernel", root_.place_of(number)));
      value += fmt::format("{}{}{}", value.empty() ? "" : ",", before, *number.value<int64_t>());
    };
    if (const toml::table* kernels = node.as_table())
      for (const auto& [kernel, number] : *kernels) add(fmt::format("{}:", kernel.str()), number);
    else
      add("", node);
    RunSpec spec;
    spec.program = key.str();
    spec.preset = preset_;
    spec.settings = {fmt::format("blocks_per_core={}", value)};
    try {
      check_runs(std::span(&spec, 1));
    } catch (const Error& error) {
      throw Error(ExitCode::Usage, fmt::format("{}: {}", root_.place_of(node), error.what()));
    }
    result_.occupancy[spec.program] = spec.settings.front();
  }
}

void Reader::read_runs() {
  const toml::table* runs = root_.table("runs");
  if (!runs) return;
  for (const auto& [key, node] : *runs) {
    if (!node.is_table()) throw Error(ExitCode::Usage, fmt::format("{}: a run is a [runs.NAME]", root_.place_of(node)));
    result_.runs[std::string(key.str())] = run_spec(*node.as_table());
  }
}

RunSpec Reader::run_spec(const toml::table& table) const {
  TomlReader reader(table, file_);
  RunSpec spec;
  spec.size = reader.text("size").value_or("");
  spec.compiler = reader.text("compiler").value_or(compiler_);
  spec.mechanism = reader.required_text("mechanism");
  spec.lanes = reader.text("lanes").value_or(spec.lanes);
  spec.schedule = reader.text("schedule").value_or("");
  spec.preset = reader.text("preset").value_or(preset_);
  spec.settings = settings_;
  const std::vector<std::string> own = reader.texts("set");
  spec.settings.insert(spec.settings.end(), own.begin(), own.end());
  spec.timed = !reader.boolean("emulate", false);
  for (const InstrumentRow& row : instrument_rows())
    if (row.everywhere && reader.boolean(row.name, false)) spec.instruments.add(row.name);
  reader.finish();
  try {
    RunSpec complete = spec;  // names and values, before hours are spent on others
    complete.program = workloads::all().front().name;
    if (complete.size.empty()) complete.size = "tiny";
    identity_of(complete);
    check_read(own, config_of(complete), std::vector{parts_of(complete)});
  } catch (const Error& error) {
    throw Error(ExitCode::Usage, fmt::format("{}: {}", reader.place(), error.what()));
  }
  return spec;
}

// A setting of all runs must count in one of them.
void Reader::check_common_settings() const {
  if (settings_.empty() || result_.runs.empty()) return;
  std::vector<RunParts> runs;
  for (const auto& [name, spec] : result_.runs) runs.push_back(parts_of(spec));
  try {
    check_read(settings_, make_config(preset_, settings_), runs);
  } catch (const Error& error) {
    throw Error(ExitCode::Usage, fmt::format("{}: {}", root_.place(), error.what()));
  }
}

void Reader::check_run(const std::string& run, const std::string& place) const {
  if (result_.runs.contains(run)) return;
  std::vector<std::string_view> names;
  for (const auto& [name, spec] : result_.runs) names.push_back(name);
  throw Error(ExitCode::Usage, fmt::format("{}: there is no run '{}'{}", place, run, did_you_mean(run, names)));
}

Claim Reader::claim(const toml::table& table) const {
  TomlReader reader(table, file_);
  Claim claim;
  claim.id = reader.required_text("id");
  claim.text = reader.required_text("text");
  claim.paper = reader.required_text("paper");
  claim.remark = reader.text("remark").value_or("");
  if (const toml::array* parts = reader.array("part"))
    for (const toml::node& each : *parts) {
      if (!each.is_table())
        throw Error(ExitCode::Usage, fmt::format("{}: a part is a [[claim.part]]", reader.place_of(each)));
      claim.parts.push_back(part(*each.as_table()));
    }
  read_orders(claim, reader);
  reader.finish();
  const bool judged = std::any_of(claim.parts.begin(), claim.parts.end(), [](const Part& p) { return p.judged; });
  if (!judged && claim.orders.empty())
    throw Error(ExitCode::Usage, fmt::format("{}: {} has nothing to be judged by", reader.place(), claim.id));
  return claim;
}

void Reader::read_orders(Claim& claim, TomlReader& reader) const {
  const toml::array* orders = reader.array("orders");
  if (!orders) return;
  for (const toml::node& each : *orders) {
    std::vector<std::string> order = reader.texts_of(each, "orders");
    for (const std::string& name : order)
      if (std::none_of(claim.parts.begin(), claim.parts.end(), [&](const Part& p) { return p.name == name; }))
        throw Error(ExitCode::Usage, fmt::format("{}: {} has no part '{}'", reader.place_of(each), claim.id, name));
    claim.orders.push_back(std::move(order));
  }
}

Part Reader::part(const toml::table& table) const {
  TomlReader reader(table, file_);
  Part part;
  part.place = reader.place();
  part.name = reader.required_text("name");
  part.value = {reader.texts("value"), reader.texts("per"), reader.texts("per_largest")};
  part.of = reader.texts("of");
  part.over = reader.texts("over");
  part.via = reader.text("via").value_or("");
  part.on = workloads_of(reader.texts("on"), part.place);
  part.only = filter(reader);
  part.fold = value_named(kFolds, reader.text("fold").value_or("harmonic"), part.place);
  if (const auto is = reader.text("is")) part.is = Condition::parse(*is, part.place);
  if (const auto holds = reader.text("holds")) part.holds = Condition::parse(*holds, part.place);
  if (const auto direction = reader.text("direction")) part.direction = Condition::parse(*direction, part.place);
  part.within = reader.number("within").value_or(part.within);
  part.near = reader.number("near").value_or(std::max(part.near, part.within));
  part.judged = reader.boolean("judged", true);
  const FigureUnit usual = part.ratio() && part.fold != Fold::Share ? FigureUnit::Change : FigureUnit::Number;
  const auto unit = reader.text("unit");
  part.unit = unit ? value_named(kFigureUnits, *unit, part.place) : usual;
  read_paper(part, reader);
  reader.finish();
  const auto refuse = [&](std::string_view what) {
    throw Error(ExitCode::Usage, fmt::format("{}: part '{}' {}", part.place, part.name, what));
  };
  if (part.value.fields.empty() || part.of.empty() || part.on.empty()) refuse("needs value, of and on");
  if ((part.fold == Fold::Share) != part.is.has_value()) refuse("needs 'is' with fold 'share', and only there");
  if (!part.via.empty() && part.over.empty()) refuse("has 'via' without 'over'");
  if (part.judged && part.paper.empty() && !part.holds) refuse("needs 'paper' or 'holds', or judged = false");
  for (const std::string& run : part.of) check_run(run, part.place);
  for (const std::string& run : part.over) check_run(run, part.place);
  if (!part.via.empty()) check_run(part.via, part.place);
  return part;
}

void Reader::read_paper(Part& part, TomlReader& reader) const {
  const toml::node* paper = reader.node("paper");
  if (!paper) return;
  if (paper->is_number()) {
    part.paper[""] = *paper->value<double>();
    return;
  }
  const std::string place = reader.place_of(*paper);
  if (!paper->is_table() || part.fold != Fold::Each)
    throw Error(ExitCode::Usage, fmt::format("{}: paper is a number; with fold 'each' it may be a table", place));
  for (const auto& [key, node] : *paper->as_table()) {
    if (std::find(part.on.begin(), part.on.end(), key.str()) == part.on.end() || !node.is_number())
      throw Error(ExitCode::Usage, fmt::format("{}: {} is none of its workloads, or no number", place, key.str()));
    part.paper[std::string(key.str())] = *node.value<double>();
  }
}

// only = "compaction.P.rates.ideal > 0"
std::optional<Filter> Reader::filter(TomlReader& reader) const {
  const std::optional<std::string> text = reader.text("only");
  if (!text) return std::nullopt;
  const size_t space = std::min(text->find(' '), text->size());
  return Filter{{{text->substr(0, space)}, {}, {}}, Condition::parse(text->substr(space), reader.place())};
}

// A run is one of [runs], or the name of a mechanism; "*" is every mechanism that has cycles.
void Reader::read_head_to_head(const toml::table& table) {
  TomlReader reader(table, file_);
  HeadToHead result;
  for (const std::string& run : reader.texts("runs")) {
    if (result_.runs.contains(run)) {
      result.runs.push_back(run);
      continue;
    }
    for (const MechanismRow& row : mechanisms())
      if (run == row.name || (run == "*" && !row.bound)) {
        RunSpec spec;
        spec.size = "";
        spec.mechanism = row.name;
        spec.preset = preset_;
        spec.compiler = compiler_;
        spec.settings = settings_;
        result_.runs.try_emplace(std::string(row.name), spec);
        result.runs.emplace_back(row.name);
      }
    if (run != "*") check_run(run, reader.place());
  }
  result.workloads = workloads_of(reader.texts("on"), reader.place());
  result.bounds = reader.texts("bounds");
  for (const std::string& run : result.bounds) check_run(run, reader.place());
  reader.finish();
  if (result.runs.empty() || result.workloads.empty())
    throw Error(ExitCode::Usage, fmt::format("{}: head_to_head needs runs and on", reader.place()));
  result_.head_to_head = std::move(result);
}

}  // namespace

std::string_view name_of(FigureUnit unit) {
  return std::find_if(std::begin(kFigureUnits), std::end(kFigureUnits),
                      [&](const auto& row) { return row.value == unit; })
      ->name;
}

Experiment read_experiment(std::string_view text, std::string_view name, std::string_view file) {
  toml::table table;
  try {
    table = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(ExitCode::Usage, fmt::format("{}:{}:{}: {}", file, error.source().begin.line,
                                             error.source().begin.column, error.description()));
  }
  return Reader(table, name, file).read();
}

}  // namespace heddle

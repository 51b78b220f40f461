// heddle reproduce: the claims of the papers, measured.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/nearest.h"
#include "cli/cluster_options.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/unfinished.h"
#include "cli/verb.h"
#include "experiment/campaign.h"
#include "experiment/reproduction.h"
#include "experiment/sensitivity.h"
#include "report/painted.h"
#include "report/table.h"

namespace heddle::cli {
namespace {

struct ReproduceOptions {
  std::vector<std::string> what;
  bool quick = false, sensitivity = false, details = false, list = false, quiet = false;
  unsigned jobs = 0;
  std::string results = "results", json, markdown, originals;
  ClusterOptions cluster;
};

// An experiment and those of its claims that were asked for.
struct Wanted {
  Experiment experiment;
  std::vector<const Claim*> claims;
  bool head_to_head = false;
};

void add_claim(std::vector<std::unique_ptr<Wanted>>& all, const std::string& id) {
  const std::string name = id.substr(0, id.rfind('.'));
  auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each->experiment.name == name; });
  if (found == all.end()) {
    all.push_back(std::make_unique<Wanted>(Wanted{experiment_named(name), {}, false}));
    found = all.end() - 1;
  }
  Wanted& wanted = **found;
  std::vector<std::string_view> ids;
  for (const Claim& claim : wanted.experiment.claims) {
    ids.push_back(claim.id);
    if (claim.id != id) continue;
    if (std::find(wanted.claims.begin(), wanted.claims.end(), &claim) == wanted.claims.end())
      wanted.claims.push_back(&claim);
    return;
  }
  throw Error(ExitCode::Usage, fmt::format("{} has no claim '{}'{}", name, id, did_you_mean(id, ids)));
}

// Claims point into their experiment, which must not move.
std::vector<std::unique_ptr<Wanted>> wanted_of(const ReproduceOptions& options) {
  std::vector<std::unique_ptr<Wanted>> all;
  const auto add_whole = [&](Experiment experiment) {
    all.push_back(std::make_unique<Wanted>());
    all.back()->experiment = std::move(experiment);
    Wanted& wanted = *all.back();
    for (const Claim& claim : wanted.experiment.claims) wanted.claims.push_back(&claim);
    wanted.head_to_head = wanted.experiment.head_to_head.has_value();
  };
  if (options.what.empty())
    for (Experiment& experiment : all_experiments()) {
      if (experiment.published.empty()) continue;  // of no paper by itself
      if (options.quick) experiment.variants.clear();
      add_whole(std::move(experiment));
    }
  for (const std::string& word : options.what)
    if (word.find('.') != std::string::npos && !word.ends_with(".toml"))
      add_claim(all, word);
    else
      add_whole(experiment_named(word));
  if (options.sensitivity)
    for (const auto& wanted : all) {
      wanted->experiment.variants = plausible_variants(wanted->experiment);
      wanted->head_to_head = false;
    }
  return all;
}

VariantResult evaluate(const Wanted& wanted, const Variant& variant, const Campaign& campaign) {
  VariantResult result{&variant, {}};
  const Records records = campaign.records_of(wanted.experiment, &variant);
  for (const Claim* claim : wanted.claims)
    if (variant.about(claim->id)) result.claims.push_back(judge_claim(variant.asked(*claim), records));
  return result;
}

Reproduction evaluate(const std::vector<std::unique_ptr<Wanted>>& all, const Campaign& campaign, bool quick) {
  Reproduction result;
  result.quick = quick;
  for (const auto& wanted : all) {
    const Experiment& experiment = wanted->experiment;
    ExperimentResult one{&experiment, quick ? experiment.quick : experiment.full, {}, {}, std::nullopt};
    const Records records = campaign.records_of(experiment);
    for (const Claim* claim : wanted->claims) one.claims.push_back(judge_claim(*claim, records));
    for (const Variant& variant : experiment.variants) one.variants.push_back(evaluate(*wanted, variant, campaign));
    if (wanted->head_to_head) one.head_to_head = head_to_head(*experiment.head_to_head, records);
    result.experiments.push_back(std::move(one));
  }
  result.problems = campaign.batch().problems();
  return result;
}

void need_claim(Campaign& campaign, const Experiment& experiment, const Claim& claim) {
  campaign.need(experiment, claim);
  for (const Variant& variant : experiment.variants)
    if (variant.about(claim.id)) campaign.need(experiment, variant.asked(claim), &variant);
}

void print_list(const std::vector<std::unique_ptr<Wanted>>& all, const Store& store, bool quick) {
  Table table({{"claim", false}, {"runs"}, {"measured"}, {"what", false}});
  Campaign together(store, quick);
  const auto add = [&](const std::string& id, const std::string& text, const auto& need) {
    Campaign one(store, quick);
    need(one);
    need(together);
    table.add({id, fmt::format("{}", one.batch().count()), fmt::format("{}", one.batch().found()), text});
  };
  for (const auto& wanted : all) {
    const Experiment& experiment = wanted->experiment;
    for (const Claim* claim : wanted->claims)
      add(claim->id, claim->text, [&](Campaign& campaign) { need_claim(campaign, experiment, *claim); });
    if (wanted->head_to_head)
      add(experiment.name, experiment.title,
          [&](Campaign& campaign) { campaign.need(experiment, *experiment.head_to_head); });
  }
  fmt::print("{}{} runs in all, {} of them measured\n", table.text(110), together.batch().count(),
             together.batch().found());
}

void print_result(const Reproduction& result, bool details) {
  if (!result.sensitivity) {
    fmt::print("{}", painted(reproduction_table(result, details), stdout));
    return;
  }
  for (const ExperimentResult& each : result.experiments)
    if (!each.claims.empty()) fmt::print("{}\n", sensitivity_table(each));
}

std::string command_of(const ReproduceOptions& options) {
  std::string text = "heddle reproduce";
  for (const std::string& word : options.what) text += " " + word;
  if (options.quick) text += " --quick";
  if (options.sensitivity) text += " --sensitivity";
  if (!options.markdown.empty() && options.markdown != "-") text += " --markdown " + options.markdown;
  return text;
}

ExitCode reproduce(const ReproduceOptions& options) {
  if (options.json == "-" && options.markdown == "-")
    throw Error(ExitCode::Usage, "--json and --markdown cannot both be standard output");
  if (options.sensitivity && !options.markdown.empty())
    throw Error(ExitCode::Usage, "--sensitivity has no page of its own: --json, and heddle report makes one of it");
  if (options.cluster.is_part() && (!options.json.empty() || !options.markdown.empty()))
    throw Error(ExitCode::Usage,
                "--shard measures a part: --json and --markdown are of the whole, the same command without it");
  const auto all = wanted_of(options);
  std::optional<Originals> originals;
  if (!options.originals.empty()) originals = read_originals(options.originals);
  const Store store(options.results);
  if (options.list) {
    print_list(all, store, options.quick);
    return ExitCode::Ok;
  }
  OutputFile json(options.json), page(options.markdown);
  Campaign campaign(store, options.quick);
  for (const auto& wanted : all) {
    if (wanted->head_to_head) campaign.need(wanted->experiment, *wanted->experiment.head_to_head);
    for (const Claim* claim : wanted->claims) need_claim(campaign, wanted->experiment, *claim);
  }
  std::atomic<bool>* stop = stop_on_interrupt();
  const Shard shard = options.cluster.shard();
  options.cluster.do_elsewhere(campaign.batch(), options.results, options.quiet);
  campaign.batch().look_again();
  if (!*stop) {
    const Progress progress(!options.quiet, [&] { return campaign.batch().progress(); });
    campaign.batch().run(options.jobs, stop, shard);
  }
  if (options.cluster.is_part() && campaign.batch().complete(shard)) {
    if (!options.quiet) fmt::print("{}", ClusterOptions::summary(campaign.batch(), shard, options.results));
    return ExitCode::Ok;
  }
  Reproduction result = evaluate(all, campaign, options.quick);
  result.sensitivity = options.sensitivity;
  result.originals = std::move(originals);
  if (!options.quiet && !json.to_stdout() && !page.to_stdout()) print_result(result, options.details);
  if (json.wanted()) json.write(reproduction_json(result));
  if (page.wanted() && campaign.batch().complete()) page.write(reproduction_page(result, command_of(options)));
  if (!*stop && campaign.batch().complete()) return ExitCode::Ok;
  return unfinished(campaign.batch(), options.results, page.wanted() ? "; the page was not written" : "");
}

}  // namespace

Action declare_reproduce(CLI::App& command) {
  auto options = std::make_shared<ReproduceOptions>();
  ReproduceOptions& o = *options;
  command.add_option(
      "what", o.what,
      fmt::format(
          "experiments ({}), single claims of them (tbc.1), or FILE.toml; without any, all claims of the five papers",
          joined(experiment_names())));
  command.add_flag("--quick", o.quick, "small sizes: minutes instead of hours; of all claims without their variants");
  command.add_flag(
      "--sensitivity", o.sensitivity,
      "the claims again for every value that a preset calls as plausible as its own: how far it moves them");
  command.add_flag("--details", o.details, "also every figure workload by workload");
  command.add_flag("--list", o.list, "what there is, how many runs it takes and how many have been measured");
  command.add_option("--results", o.results, "folder in which results are kept, so that nothing is run twice")
      ->capture_default_str();
  command.add_option("--jobs", o.jobs, "runs at once; 0: one per core of the host")->capture_default_str();
  o.cluster.declare(command);
  command.add_option("--json", o.json, "write the results as JSON; - is standard output");
  command.add_option("--markdown", o.markdown, "write the results as a page; - is standard output");
  command.add_option("--originals", o.originals,
                     "also what tools/measure-originals has measured of the programs that the papers ran");
  command.add_flag("--quiet", o.quiet, "print errors only");
  return [options] { return reproduce(*options); };
}

}  // namespace heddle::cli

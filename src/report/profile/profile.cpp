#include "report/profile/profile.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/profile/instruction_costs.h"
#include "report/profile/source_text.h"

namespace heddle {
namespace {

using LineKey = std::pair<std::string, uint32_t>;

// Line 0 is what the compiler added: it belongs to the line before.
int32_t written_loc(const Kernel& kernel, Pc pc) {
  for (const Pc begin = kernel.function_at(pc).begin; pc > begin; --pc)
    if (const int32_t loc = kernel.code[pc].loc; loc < 0 || kernel.locs[static_cast<size_t>(loc)].line > 0) break;
  return kernel.code[pc].loc;
}

// The line an instruction belongs to: of the source if its text is to be had, of what was inlined where only the
// caller's is, else of the PTX.
LineKey line_of(const Kernel& kernel, Pc pc, SourceTexts& texts) {
  for (int32_t loc = written_loc(kernel, pc); loc >= 0; loc = kernel.locs[static_cast<size_t>(loc)].inlined_at) {
    const SourceLine& line = kernel.locs[static_cast<size_t>(loc)];
    if (line.file < kernel.files.size() && texts.has(kernel.files[line.file]))
      return {kernel.files[line.file], line.line};
  }
  const std::string& name = kernel.source->name();
  texts.add(name, kernel.source->text());
  return {name, kernel.code[pc].place.line};
}

void add_instruction(ProfileLine& line, const Instruction& instruction, const InstructionCost& each) {
  line.cost.add(each.cost);
  line.time.add(each.time);
  const uint64_t waited = each.time.waits.all_waited();
  if (waited <= line.slowest.all_waited()) return;
  line.slowest = each.time.waits;
  line.what = what_is(instruction);
}

bool was_seen(const InstructionCost& each) { return each.cost != Cost{} || each.time.waits != PcTiming{}; }

std::map<LineKey, ProfileLine> lines_of(const std::map<std::string, KernelCosts>& kernels, SourceTexts& texts) {
  std::map<LineKey, ProfileLine> lines;
  for (const auto& [name, costs] : kernels)
    for (Pc pc = 0; pc < costs.by_pc.size(); ++pc)
      if (was_seen(costs.by_pc[pc]))
        add_instruction(lines[line_of(*costs.kernel, pc, texts)], costs.kernel->code[pc], costs.by_pc[pc]);
  return lines;
}

void sort_by_loss(Profile& profile) {
  std::stable_sort(profile.lines.begin(), profile.lines.end(), [](const ProfileLine& a, const ProfileLine& b) {
    return std::tie(b.cost.lanes_lost, b.cost.slots) < std::tie(a.cost.lanes_lost, a.cost.slots);
  });
  std::stable_sort(profile.branches.begin(), profile.branches.end(),
                   [](const ProfileBranch& a, const ProfileBranch& b) { return b.lanes_lost < a.lanes_lost; });
}

void add_branches(Profile& profile, const RunResult& result, const std::map<std::string, KernelCosts>& kernels,
                  std::map<LineKey, ProfileLine>& lines, SourceTexts& texts) {
  for (const BranchPlace& branch : result.total.branches) {
    const auto found = kernels.find(branch.kernel);
    if (found == kernels.end()) continue;
    const KernelCosts& costs = found->second;
    const LineKey key = line_of(*costs.kernel, branch.record.pc, texts);
    ProfileLine& line = lines[key];
    line.branches += branch.record.executed;
    line.diverged += branch.record.diverged;
    line.kind = std::max(line.kind, branch.record.kind);
    if (branch.record.diverged == 0) continue;
    const InstructionCost inside = cost_inside(costs, branch.record.pc);
    profile.branches.push_back(
        {branch, key.first, key.second, costs.blamed[branch.record.pc], inside.cost, inside.time});
  }
}

Profile profile_of_kernels(const RunResult& result, const std::string& only, SourceTexts& texts) {
  Profile profile;
  const std::map<std::string, KernelCosts> kernels = instruction_costs(result, only);
  for (const auto& [name, costs] : kernels) profile.lanes_lost_by_nobody += costs.blamed_on_nobody;
  std::map<LineKey, ProfileLine> lines = lines_of(kernels, texts);
  add_branches(profile, result, kernels, lines, texts);
  for (auto& [key, line] : lines) {
    const auto& [file, number] = key;
    line.file = file;
    line.line = number;
    const std::vector<std::string>& text = texts.lines(file);
    if (number > 0 && number <= text.size()) line.text = text[number - 1];
    profile.total.add(line.cost);
    profile.time.add(line.time);
    if (profile.sources.empty() || profile.sources.back().first != file) profile.sources.emplace_back(file, text);
    profile.lines.push_back(std::move(line));
  }
  sort_by_loss(profile);
  profile.nobodys = waits_for_nobody(result, only);
  profile.use = use_of(result, only);
  profile.answer = answer_of(profile);
  return profile;
}

std::vector<ProfileKernel> kernels_of(const RunResult& result, SourceTexts& texts) {
  std::vector<ProfileKernel> kernels;
  for (const LaunchResult& launch : result.launches) {
    if (launch.stats.by_pc.empty()) continue;
    const auto known = std::find_if(kernels.begin(), kernels.end(),
                                    [&](const ProfileKernel& each) { return each.kernel == launch.stats.kernel; });
    ProfileKernel& kernel = known != kernels.end() ? *known : kernels.emplace_back();
    kernel.kernel = launch.stats.kernel;
    ++kernel.launches;
    kernel.cycles += launch.stats.timing ? launch.stats.timing->cycles : 0;
  }
  for (ProfileKernel& kernel : kernels) {
    const Profile own = profile_of_kernels(result, kernel.kernel, texts);
    kernel.cost = own.total;
    kernel.answer = own.answer;
  }
  return kernels;
}

}  // namespace

std::string what_is(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::Ld: return "load";
    case Op::St: return "store";
    case Op::Atom:
    case Op::Red: return "atomic";
    case Op::Tex:
    case Op::Gather: return "texture read";
    default: break;
  }
  switch (instruction.flow) {
    case Flow::Barrier: return "barrier";
    case Flow::Branch: return "branch";
    case Flow::Sync: return "warp-wide instruction";
    case Flow::Plain: break;
  }
  return "instruction";
}

Profile profile_of(const RunResult& result) {
  SourceTexts texts(result.spec.program);
  Profile profile = profile_of_kernels(result, "", texts);
  profile.kernels = kernels_of(result, texts);
  return profile;
}

}  // namespace heddle

#include "ledger/ledger.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/fingerprint.h"
#include "divergence/registry.h"
#include "gpu/gpu.h"
#include "gpu/presets.h"
#include "support/memory_image.h"

namespace heddle::ledger {
namespace {

constexpr std::string_view kEmulation = "emulation";

std::string_view name_of(workloads::Size size) {
  switch (size) {
    case workloads::Size::Tiny: return "tiny";
    case workloads::Size::Small: return "small";
    case workloads::Size::Paper: return "paper";
  }
  return "";
}

std::string figures(const Gpu& gpu, test::RecordingDevice& device) {
  const KernelStats total = gpu.total();
  Fingerprint memory;
  for (const test::ImagePart& part : device.image()) memory.add(part.bytes.data(), part.bytes.size());
  const std::string cycles = total.timing ? fmt::to_string(total.timing->cycles) : "-";
  return fmt::format("{} {} {} {:016x}", total.issue_slots, total.active_slots, cycles, memory.value());
}

// A GPU of a hundred cores and more takes long: on it stand three mechanisms for all, and programs that do not spin.
constexpr int64_t kManyCores = 64;
bool is_large(const std::string& machine) {
  return machine != kEmulation && make_config(machine, {}).integer("cores") > kManyCores;
}
bool stands_for_all(const workloads::Workload& workload, const MechanismRow& mechanism) {
  return workload.kind == workloads::Kind::Usual &&
         (mechanism.name == "pdom" || mechanism.name == "its" || mechanism.name == "tbc");
}

}  // namespace

std::string Entry::key() const { return fmt::format("{} {} {} {}", workload, size, machine, mechanism); }

std::vector<Entry> all_entries(workloads::Size size) {
  std::vector<std::string> machines{std::string(kEmulation)};
  for (const Preset& preset : all_presets()) machines.emplace_back(preset.name);
  std::vector<Entry> entries;
  std::vector<bool> large;
  for (const std::string& machine : machines) large.push_back(is_large(machine));
  for (const workloads::Workload& workload : workloads::all())
    for (size_t i = 0; i < machines.size(); ++i)
      for (const MechanismRow& mechanism : mechanisms())
        if ((!mechanism.bound || machines[i] == kEmulation) && (!large[i] || stands_for_all(workload, mechanism)))
          entries.push_back(
              {std::string(workload.name), std::string(name_of(size)), machines[i], std::string(mechanism.name)});
  return entries;
}

std::string row_of(const Entry& entry, uint64_t most) {
  GpuOptions options;
  options.mechanism = entry.mechanism;
  options.timed = entry.machine != kEmulation;
  const workloads::Workload& workload = workloads::find(entry.workload);
  std::vector<std::string> set{fmt::format("max_slots={}", most > 0 ? most : kEndless)};
  if (workload.kind == workloads::Kind::Waits && !mechanism_named(entry.mechanism).fair)
    set.push_back(fmt::format("spin_limit={}", kSpinLimit));
  Gpu gpu(make_config(options.timed ? entry.machine : "default", set), options);
  test::RecordingDevice device(gpu);
  std::string outcome;
  try {
    device.load(workload.name, workload.ptx());
    const workloads::Check check = workload.run(device, workloads::size_named(entry.size));
    outcome = figures(gpu, device) + (check.passed ? "" : " wrong");
  } catch (const Error& error) {
    if (error.code() == ExitCode::Internal) throw;                  // a mistake of ours is nobody's expected outcome
    if (most > 0 && error.code() == ExitCode::Deadlock) return "";  // as max_slots ends it
    outcome = fmt::format("exit {}", static_cast<int>(error.code()));
  }
  if (most > 0 && gpu.total().issue_slots > most) return "";
  return entry.key() + " " + outcome;
}

}  // namespace heddle::ledger

// The machine code of a few instructions together has as many instructions as the assembler made of them: the lines of
// the tables (src/program/machine/sm_*.txt), each in a kernel like the one that was measured (bench/hardware/lowering).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <span>

#include "base/embedded_text.h"
#include "base/text.h"
#include "program/program.h"

namespace heddle {
std::span<const EmbeddedText> machine_tables();  // tools/embed_texts.cmake
}

namespace heddle::test::probes_test {
namespace {

std::string type_of(char kind) {
  switch (kind) {
    case 'h': return "b16";
    case 'l':
    case 'x': return "b64";
    case 'f': return "f32";
    case 'd': return "f64";
    case 'p': return "pred";
    default: return "b32";
  }
}

std::vector<std::string> names_in(const std::string& text) {
  static const std::regex name("\\b[rhlfdxsp][0-9]+\\b");
  std::vector<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) names.push_back(at->str());
  return names;
}

bool has_result(const std::string& instruction) {
  for (const char* none : {"st.", "red.", "bar.sync", "bar.arrive", "bar.warp", "barrier.sync", "membar", "fence",
                           "cp.", "prefetch", "nanosleep"})
    if (instruction.starts_with(none)) return false;
  return true;
}

// What it writes: its first operand.
std::vector<std::string> results_of(const std::string& instruction) {
  if (!has_result(instruction)) return {};
  const std::string operands = instruction.substr(instruction.find(' ') + 1);
  return names_in(operands.substr(0, operands.find(operands.starts_with('{') ? '}' : ',')));
}

struct Probe {
  std::string text;
  unsigned measured = 0;
};

std::vector<Probe> probes_of(const EmbeddedText& table) {
  std::vector<Probe> probes;
  for (std::string_view line : split(table.text, '\n')) {
    if (line.starts_with('#')) continue;
    const size_t bar = line.find(" | "), second = std::min(line.find(" | ", bar + 3), line.size());
    const auto opcodes = split(line.substr(bar + 3, second - bar - 3), ' ');
    probes.push_back({std::string(line.substr(0, bar)), static_cast<unsigned>(opcodes.size())});
  }
  return probes;
}

std::string load_of(const std::string& name, unsigned place) {
  if (name[0] == 'p') return fmt::format("ld.volatile.global.u32 %n, [%in+{}];\nsetp.ne.s32 {}, %n, 0;\n", place, name);
  return fmt::format("ld.volatile.global.{} {}, [%in+{}];\n", type_of(name[0]), name, place);
}

std::string store_of(const std::string& name, unsigned place) {
  if (name[0] == 'p') return fmt::format("@{} st.volatile.global.u32 [%out+{}], %one;\n", name, place);
  return fmt::format("st.volatile.global.{} [%out+{}], {};\n", type_of(name[0]), place, name);
}

// Operands come from memory and go there again; `probe` has the instructions between, and stores what the last one
// made.
struct Texts {
  std::string base, probe;
  unsigned stored = 0;
};

Texts kernels_of(const Probe& probe, std::string_view target) {
  std::set<std::string> declared;
  std::string loads, kept, body, stores;
  unsigned place = 0;
  std::vector<std::string> results;
  for (std::string_view part : split(probe.text, ';')) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    const std::string instruction(part);
    results = results_of(instruction);
    const std::set<std::string> own(results.begin(), results.end());
    for (const std::string& name : names_in(instruction.substr(std::min(instruction.find(' '), instruction.size())))) {
      if (own.contains(name) || !declared.insert(name).second) continue;
      place += 16;
      loads += load_of(name, place);
      kept += store_of(name, place);
    }
    declared.insert(results.begin(), results.end());
    body += instruction + ";\n";
  }
  for (const std::string& name : results) stores += store_of(name, place += 16);
  std::string registers;
  for (const std::string& name : declared) registers += fmt::format(".reg .{} {};\n", type_of(name[0]), name);
  const std::string head = fmt::format(
      ".version 8.0\n.target {}\n.address_size 64\n.const .align 16 .b8 table[4096];\n"
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 number) {{\n.shared .align 16 .b8 room[4096];\n"
      ".reg .b64 %in, %out;\n.reg .b32 %n, %one, %t;\n{}ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "mov.u32 %t, %tid.x;\nst.volatile.global.u32 [%out], %t;\nld.volatile.global.u32 %one, [%in];\n",
      target, registers);
  return {head + loads + kept + "ret;\n}\n", head + loads + body + kept + stores + "ret;\n}\n",
          static_cast<unsigned>(results.size())};
}

unsigned slots_of(const std::string& text, const std::string& target) {
  CodeOptions options;
  options.target = target;
  const auto program = Program::load(std::make_shared<ptx::Source>("probe.ptx", text));
  const auto kernel = program->as_machine_code(options)->kernel("k");
  unsigned slots = 0;
  for (const MachineCost& cost : kernel->costs) slots += cost.slots;
  return slots;
}

unsigned predicted(const Probe& probe, const std::string& target) {
  const Texts texts = kernels_of(probe, target);
  return slots_of(texts.probe, target) - slots_of(texts.base, target) - texts.stored;
}

struct Known {
  std::string_view probe, why;
};

// Where the machine code differs from what was measured, and why that is left so.
constexpr Known kDifferences[] = {
    {"mad.lo.cc.u32 r0, r1, r2, r3; madc.hi.u32 r4, r1, r2, r5", "long multiplication in pieces is rare"},
    {"cvt.u16.u64 h0, l1", "the copy is there because both are stored"},
    {"mov.u32 r0, %warpid", "computed from the thread's number"},
    {"ld.param.u64 l0, [out]", "the kernel has read that parameter before"},
    {"ld.param.u8 r0, [number]", "parameters of a byte are rare"},
    {"st.global.u32 [x0], 7", "numbers for memory are put into registers before loops"},
    {"atom.global.add.u32 r0, [x1], 1", "the same"},
    {"atom.shared.add.u32 r0, [s1], 1", "the same"},
    {"atom.shared.add.u64 l0, [s1], l2", "what is stored behind the loop needs its parameter and address anew"},
    {"atom.shared.add.f32 f0, [s1], f2", "the same"},
    {"atom.shared.add.f64 d0, [s1], d2", "the same"},
    {"red.shared.add.f32 [s0], f1", "the same"},
    {"ld.param.u64 l0, [out]; add.s64 l2, l0, l1", "the kernel has read that parameter before"},
    {"shl.b32 r0, r1, 2; mov.u32 r2, room; add.s32 r3, r2, r0; ld.shared.u32 r4, [r3]",
     "sm_80 scales addresses of shared memory by 4"},
    {"mul.lo.s64 l0, l1, 8; add.s64 l2, l0, l3", "compilers write a shift"},
    {"and.b64 l0, l1, -4; add.s64 l2, l0, l3", "half of a 64-bit number may be all ones"},
    {"ld.const.f32 f0, [table]; ld.const.f32 f1, [table+4]; fma.rn.f32 f2, f0, f3, f1",
     "two constants of one instruction"},
    {"rem.u32 r0, r1, r2; div.u32 r3, r1, r2; add.s32 r4, r0, r3", "both are made of one division"},
    {"div.s32 r0, r1, r2; mul.lo.s32 r3, r0, r2; sub.s32 r4, r1, r3", "one more copy"},
};

bool is_known(const Probe& probe) {
  return std::any_of(std::begin(kDifferences), std::end(kDifferences),
                     [&](const Known& known) { return known.probe == probe.text; });
}

TEST(Probes, have_as_many_machine_instructions_as_were_measured) {
  for (const EmbeddedText& table : machine_tables()) {
    const std::string target(table.file.substr(0, table.file.rfind('.')));
    const std::vector<Probe> probes = probes_of(table);
    EXPECT_GT(probes.size(), 480U) << target;
    for (const Probe& probe : probes) {
      if (is_known(probe)) continue;
      EXPECT_EQ(predicted(probe, target), probe.measured) << target << ": " << probe.text;
    }
  }
}

}  // namespace
}  // namespace heddle::test::probes_test

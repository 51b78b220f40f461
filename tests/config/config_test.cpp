#include "config/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "gpu/machine_keys.h"
#include "gpu/presets.h"

namespace heddle {
namespace {

Config small() {
  return Config({{"size", Key::Kind::Integer, "8", "a size", "1 64"},
                 {"limit", Key::Kind::Integer, "0", "a number without limits", ""},
                 {"check", Key::Kind::Boolean, "false", "a switch", ""},
                 {"policy", Key::Kind::Choice, "first", "a choice", "first last"},
                 {"places", Key::Kind::PerKernel, "0", "numbers by kernel", "0 9"}});
}

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Usage);
    return error.what();
  }
  return "no error";
}

TEST(Config, has_the_initial_values_until_something_is_set) {
  const Config config = small();
  EXPECT_EQ(config.integer("size"), 8);
  EXPECT_FALSE(config.boolean("check"));
  EXPECT_EQ(config.text("policy"), "first");
}

TEST(Config, takes_values_from_toml_and_the_later_one_wins) {
  Config config = small();
  config.load_toml("size = 16\ncheck = true\npolicy = 'last'\n", "a.toml");
  EXPECT_EQ(config.integer("size"), 16);
  EXPECT_TRUE(config.boolean("check"));
  EXPECT_EQ(config.text("policy"), "last");
  config.set("size=32");
  EXPECT_EQ(config.integer("size"), 32);
  config.load_toml("size = 4", "b.toml");
  EXPECT_EQ(config.integer("size"), 4);
}

TEST(Config, an_unknown_key_is_named_with_file_line_and_the_nearest) {
  EXPECT_EQ(message_of([] { small().load_toml("size = 4\n\nchek = true\n", "my.toml"); }),
            "my.toml:3: unknown key 'chek'; did you mean 'check'?");
  EXPECT_EQ(message_of([] { small().set("sise=4"); }), "--set sise=4: unknown key 'sise'; did you mean 'size'?");
}

TEST(Config, a_value_out_of_range_or_of_the_wrong_kind_says_what_is_allowed) {
  EXPECT_EQ(message_of([] { small().load_toml("\nsize = 65", "my.toml"); }),
            "my.toml:2: '65' is no value for size: a number from 1 to 64");
  EXPECT_EQ(message_of([] { small().set("size=0"); }), "--set size=0: '0' is no value for size: a number from 1 to 64");
  EXPECT_EQ(message_of([] { small().set("size=4x"); }),
            "--set size=4x: '4x' is no value for size: a number from 1 to 64");
  EXPECT_EQ(message_of([] { small().set("size="); }), "--set size=: '' is no value for size: a number from 1 to 64");
  EXPECT_EQ(message_of([] { small().set("check=yes"); }),
            "--set check=yes: 'yes' is no value for check: true or false");
  EXPECT_EQ(message_of([] { small().set("policy=middle"); }),
            "--set policy=middle: 'middle' is no value for policy: one of first, last");
}

TEST(Config, a_number_may_be_given_for_all_kernels_or_by_their_names) {
  Config config = small();
  EXPECT_EQ(config.per_kernel("places", "a"), 0);
  config.load_toml("places = 3", "my.toml");
  EXPECT_EQ(config.per_kernel("places", "a"), 3);
  config.set("places=a:1,b:2");
  EXPECT_EQ(config.per_kernel("places", "a"), 1);
  EXPECT_EQ(config.per_kernel("places", "b"), 2);
  EXPECT_EQ(config.per_kernel("places", "c"), 0);
  EXPECT_EQ(config.kernels_named(config.keys().back()), (std::vector<std::string_view>{"a", "b"}));
  config.load_toml("places = 'a:1,5'", "my.toml");
  EXPECT_EQ(config.per_kernel("places", "a"), 1);
  EXPECT_EQ(config.per_kernel("places", "c"), 5);
  for (const char* wrong : {"", "10", "-1", "a", "a:", ":1", "a:10", "a:1,b", "a:1x"})
    EXPECT_EQ(message_of([&] { config.set("places=" + std::string(wrong)); }),
              "--set places=" + std::string(wrong) + ": '" + wrong +
                  "' is no value for places: a number from 0 to 9, or KERNEL:NUMBER with commas between");
}

TEST(Config, limits_are_themselves_allowed) {
  Config config = small();
  config.set("size=1");
  EXPECT_EQ(config.integer("size"), 1);
  config.set("size=64");
  EXPECT_EQ(config.integer("size"), 64);
}

TEST(Config, an_assignment_needs_an_equals_sign) {
  EXPECT_EQ(message_of([] { small().set("size"); }), "--set size: expected key=value");
}

TEST(Config, toml_that_does_not_parse_is_reported_with_its_place) {
  EXPECT_EQ(message_of([] { small().load_toml("size = 4\ncheck =\n", "my.toml"); }).substr(0, 10), "my.toml:2:");
}

TEST(Config, tables_and_fractions_are_no_values) {
  EXPECT_EQ(message_of([] { small().load_toml("size = 1.5", "my.toml"); }),
            "my.toml:1: size must be a number, a word or true/false");
  EXPECT_EQ(message_of([] { small().load_toml("[size]\na = 1", "my.toml"); }),
            "my.toml:1: size must be a number, a word or true/false");
}

TEST(Config, a_preset_may_say_which_other_values_are_plausible) {
  Config config = small();
  config.load_toml("size = 16\n[plausible]\nsize = [8, 16, 32]\npolicy = ['last']\n", "a.toml");
  EXPECT_EQ(config.integer("size"), 16);
  ASSERT_EQ(config.plausible().size(), 2U);
  EXPECT_EQ(config.plausible()[1].key, "size");
  EXPECT_EQ(config.plausible()[1].values, (std::vector<std::string>{"8", "16", "32"}));
  EXPECT_EQ(config.plausible()[0].values, (std::vector<std::string>{"last"}));
  config.load_toml("size = 4", "b.toml");
  EXPECT_TRUE(config.plausible().empty());
}

TEST(Config, plausible_values_must_be_values_of_a_key) {
  const auto refusal = [](std::string_view text) { return message_of([&] { small().load_toml(text, "my.toml"); }); };
  EXPECT_EQ(refusal("[plausible]\nsise = [1]"), "my.toml:2: unknown key 'sise'; did you mean 'size'?");
  EXPECT_EQ(refusal("[plausible]\nsize = [1, 65]"), "my.toml:2: '65' is no value for size: a number from 1 to 64");
  EXPECT_EQ(refusal("[plausible]\nsize = 3"), "my.toml:2: the plausible values of size must be a list");
  EXPECT_EQ(refusal("[plausible]\nsize = []"), "my.toml:2: the plausible values of size must be a list");
  EXPECT_EQ(refusal("[plausible]\nsize = [1.5]"), "my.toml:2: size must be a number, a word or true/false");
  EXPECT_EQ(refusal("plausible = 3").find("my.toml:1: unknown key 'plausible'"), 0U);
}

// Keys of a preset whose line bears the mark.
std::set<std::string> marked(std::string_view toml, std::string_view mark) {
  std::set<std::string> keys;
  for (const std::string_view line : split(toml, '\n')) {
    if (line.starts_with("[plausible]")) break;
    const size_t equals = line.find(" = "), comment = line.find("# " + std::string(mark));
    if (equals < comment && comment != std::string_view::npos) keys.emplace(line.substr(0, equals));
  }
  return keys;
}

TEST(MachineKeys, what_a_paper_leaves_open_has_plausible_values_and_nothing_else_has) {
  for (const Preset& preset : all_presets()) {
    const Config config = make_config(preset.name, {});
    std::set<std::string> ranges;
    for (const Plausible& plausible : config.plausible()) ranges.insert(plausible.key);
    EXPECT_EQ(ranges, marked(preset.toml, "(o)")) << preset.name;
  }
  EXPECT_FALSE(marked(preset_named("large-warp-2010").toml, "(o)").empty());
  EXPECT_FALSE(marked(preset_named("capri-isca12").toml, "(s)").empty());
}

TEST(MachineKeys, plausible_values_are_machines_and_the_one_that_is_set_is_among_them) {
  for (const Preset& preset : all_presets()) {
    const Config config = make_config(preset.name, {});
    for (const auto& [key, values] : config.plausible()) {
      EXPECT_GE(values.size(), 2U) << preset.name << ": " << key;
      EXPECT_TRUE(std::find(values.begin(), values.end(), config.text(key)) != values.end())
          << preset.name << ": " << key;
      for (const std::string& value : values) {
        const std::string assignments[] = {key + "=" + value};
        EXPECT_NO_THROW(make_config(preset.name, assignments)) << preset.name << ": " << assignments[0];
      }
    }
  }
}

TEST(MachineKeys, every_preset_loads_and_its_values_go_together) {
  for (const Preset& preset : all_presets()) {
    EXPECT_NO_THROW(check_machine(make_config(preset.name, {}))) << preset.name;
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
  }
}

// What the papers print in their tables of parameters.
TEST(MachineKeys, the_presets_have_the_numbers_of_their_papers) {
  const auto expect = [](std::string_view preset, std::initializer_list<std::pair<std::string_view, int64_t>> values) {
    const Config config = make_config(preset, {});
    for (const auto& [key, value] : values) EXPECT_EQ(config.integer(key), value) << preset << ": " << key;
  };
  expect("tbc-hpca11", {{"cores", 30},
                        {"warp_size", 32},
                        {"simd_width", 8},
                        {"core_threads", 1024},
                        {"core_registers", 16384},
                        {"core_shared", 16384},
                        {"core_blocks", 8},
                        {"const_bytes", 8192},
                        {"texture_bytes", 32768},
                        {"texture_line", 64},
                        {"texture_ways", 16},
                        {"l1_bytes", 32768},
                        {"l1_line", 64},
                        {"l1_ways", 8},
                        {"l2_bytes", 1048576},
                        {"l2_line", 64},
                        {"l2_ways", 64},
                        {"channels", 8},
                        {"core_clock", 1300},
                        {"network_clock", 650},
                        {"memory_clock", 800},
                        {"dram_tcl", 10},
                        {"dram_trp", 10},
                        {"dram_trc", 35},
                        {"dram_tras", 25},
                        {"dram_trcd", 12},
                        {"dram_trrd", 8},
                        {"dram_queue", 32}});
  EXPECT_EQ(make_config("tbc-hpca11", {}).text("dram_policy"), "fr-fcfs");
  EXPECT_EQ(make_config("tbc-hpca11", {}).text("schedule"), "lrr");
  EXPECT_EQ(make_config("tbc-hpca11", {}).text("block_priority"), "age");
  for (const char* preset : {"capri-isca12", "slp-isca13"}) {
    expect(preset, {{"cores", 30},
                    {"warp_size", 32},
                    {"simd_width", 32},
                    {"core_threads", 1024},
                    {"core_registers", 16384},
                    {"core_shared", 32768},
                    {"l1_bytes", 32768},
                    {"l1_line", 64},
                    {"l1_ways", 8},
                    {"l2_bytes", 1048576},
                    {"l2_line", 64},
                    {"l2_ways", 64},
                    {"channels", 8},
                    {"dram_queue", 32}});
    EXPECT_EQ(make_config(preset, {}).text("schedule"), "srr");
  }
  // Two clocks for one core: a stage of 325 MHz is four cycles of 1300, of which a warp on 8 lanes takes as many.
  expect("tbc-hpca11", {{"int_latency", 5 * 4}, {"memory_stage", 4 * 4}, {"l1_cycle", 4}, {"block_interval", 4}});
  for (const char* preset : {"tbc-hpca11", "capri-isca12", "slp-isca13"}) {
    // The simulator's configuration of the Quadro FX5800.
    expect(preset, {{"core_blocks", 8},
                    {"sfu_interval", 0},
                    {"f64_interval", 0},
                    {"shared_banks", 16},
                    {"l1_mshrs", 64},
                    {"l1_read_ports", 2},
                    {"const_bytes", 64 * 64 * 2},
                    {"network_clock", 650},
                    {"memory_clock", 800},
                    {"network_bytes", 32},
                    {"network_concentration", 3},
                    {"packet_header", 8},
                    {"reply_header", 0},
                    {"channel_interleave", 256},
                    {"dram_banks", 8},
                    {"dram_row_bytes", 2048},
                    {"dram_bytes_per_cycle", 2 * 4 * 2},
                    {"dram_tcl", 10},
                    {"dram_trp", 10},
                    {"dram_trc", 35},
                    {"dram_tras", 25},
                    {"dram_trcd", 12},
                    {"dram_trrd", 8},
                    {"dram_tccd", 2},
                    {"dram_twl", 7},
                    {"dram_twtr", 6}});
    EXPECT_EQ(make_config(preset, {}).text("l1_writes"), "back");
    EXPECT_EQ(make_config(preset, {}).text("l2_write_miss"), "pass");
  }
  for (const char* preset : {"capri-isca12", "slp-isca13"})
    expect(preset, {{"core_clock", 325}, {"int_latency", 5}, {"memory_stage", 4}, {"block_interval", 1}});
  expect("large-warp-2010", {{"cores", 1},
                             {"warp_size", 32},
                             {"simd_width", 32},
                             {"core_threads", 1024},
                             {"core_registers", 16 * 1024},
                             {"private_bytes", 131072},
                             {"l1_bytes", 32768},
                             {"l1_line", 128},
                             {"l1_ways", 4},
                             {"l1_latency", 1},
                             {"l1_read_ports", 1},
                             {"l1_write_ports", 1},
                             {"icache_bytes", 4096},
                             {"l2_bytes", 0},
                             {"dram_banks", 8},
                             {"dram_row_bytes", 4096},
                             {"dram_bytes_per_cycle", 128},
                             {"large_warp_size", 256},
                             {"int_latency", 7},
                             {"shared_banks", 32}});
  EXPECT_EQ(make_config("large-warp-2010", {}).text("dram_policy"), "fcfs");
  EXPECT_EQ(make_config("large-warp-2010", {}).text("schedule"), "rr");
}

TEST(MachineKeys, values_that_do_not_go_together_are_refused_with_the_key) {
  const auto refusal = [](std::vector<std::string> set) { return message_of([&] { make_config("tbc-hpca11", set); }); };
  EXPECT_EQ(refusal({"texture_line=32"}), "texture_line = 32: must be l1_line = 64, to which accesses are joined");
  EXPECT_EQ(refusal({"l1_bytes=0", "l1_line=128", "texture_bytes=0"}),
            "l1_line = 128 is larger than a line below it (l2_line = 64)");
  EXPECT_EQ(refusal({"dram_twl=12"}),
            "dram_twl = 12: must be smaller than dram_trcd = 12 and not larger than dram_tcl = 10");
  EXPECT_EQ(refusal({"shared_pipeline=false"}), "reply_slots = true: there is no shared_pipeline");
}

TEST(MachineKeys, assignments_win_over_the_preset) {
  const std::string assignments[] = {"warp_size=8"};
  EXPECT_EQ(make_config("tiny", {}).integer("warp_size"), 4);
  EXPECT_EQ(make_config("tiny", assignments).integer("warp_size"), 8);
}

TEST(MachineKeys, an_unknown_preset_lists_the_known_ones) {
  const std::string message = message_of([] { make_config("tinny", {}); });
  EXPECT_EQ(message.find("no preset 'tinny'; did you mean 'tiny'?"), 0U) << message;
  for (const Preset& preset : all_presets()) EXPECT_NE(message.find(preset.name), std::string::npos) << preset.name;
}

TEST(MachineKeys, a_preset_file_that_does_not_exist_is_named) {
  EXPECT_EQ(message_of([] { make_config("/nowhere/x.toml", {}); }), "cannot read the preset file '/nowhere/x.toml'");
}

TEST(MachineKeys, every_key_has_a_summary_and_an_initial_value_that_is_allowed) {
  const Config config = make_config();
  for (const Key& key : config.keys()) {
    EXPECT_FALSE(key.summary.empty()) << key.name;
    Config again = make_config();
    EXPECT_NO_THROW(again.set(std::string(key.name) + "=" + std::string(key.initial))) << key.name;
  }
}

}  // namespace
}  // namespace heddle

// "The command again", and that its JSON says the same.
#include "run/command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run/runner.h"
#include "run/spec_json.h"

namespace heddle {
namespace {

RunSpec workload() {
  RunSpec spec;
  spec.program = "bfs";
  spec.size = "tiny";
  return spec;
}

TEST(Command, NamesWhatIsRunAndWhatIsNotAsUsual) {
  RunSpec spec = workload();
  EXPECT_EQ(command_of(spec), "heddle run bfs --size tiny --mechanism pdom --preset default");
  spec.mechanism = "tbc";
  spec.settings = {"lcp=true", "warp_size=16"};
  spec.lanes = "balanced";
  spec.schedule = "gto";
  spec.compiler = "clang";
  spec.timed = false;
  spec.instruments = {"taint", "scores", "branches"};
  spec.kernel = "expand_frontier";
  EXPECT_EQ(command_of(spec),
            "heddle run bfs --kernel expand_frontier --size tiny --compiler clang --mechanism tbc --preset default "
            "--set lcp=true --set warp_size=16 --lanes balanced --schedule gto --emulate --taint --scores --branches");
  spec.instruments.add("profile");
  EXPECT_EQ(command_of(spec).substr(0, 14), "heddle profile");
}

TEST(Command, LaunchesAKernelOfAFileWithItsArguments) {
  RunSpec spec;
  spec.kind = RunSpec::Kind::PtxFile;
  spec.program = "my kernels.ptx";
  spec.kernel = "add";
  spec.launch = {"4", "16,16", 64, true, {"zeros:16@out.bin", "u32:7"}};
  EXPECT_EQ(command_of(spec),
            "heddle run 'my kernels.ptx' --kernel add --grid 4 --block 16,16 --shared 64 --arg zeros:16@out.bin --arg "
            "u32:7 --cooperative --mechanism pdom --preset default");
}

TEST(Command, PutsAProgramAndItsArgumentsBehindTwoDashes) {
  RunSpec spec;
  spec.kind = RunSpec::Kind::CudaProgram;
  spec.program = "./app";
  spec.arguments = {"-n", "it's"};
  spec.strict = true;
  EXPECT_EQ(command_of(spec), "heddle exec --mechanism pdom --preset default --strict -- ./app -n 'it'\\''s'");
}

// A comparison may set what only some of its runs read; each of them alone would refuse it.
TEST(Command, OfOneRunLeavesOutWhatItDoesNotRead) {
  RunSpec spec = workload();
  spec.mechanism = "capri";
  spec.settings = {"lcp=true", "capt_entries=4"};
  EXPECT_EQ(command_of(spec), "heddle run bfs --size tiny --mechanism capri --preset default --set capt_entries=4");
  EXPECT_EQ(command_of(spec, {"bfs", "mum"}, {"pdom", "capri"}),
            "heddle compare bfs mum --mechanisms pdom,capri --size tiny --preset default --set lcp=true --set "
            "capt_entries=4");
}

TEST(SpecJson, HasEveryChoiceInAFieldOfItsOwn) {
  RunSpec spec = workload();
  spec.settings = {"warp_size=8", "warp_size=16"};
  spec.instruments.add("scores");
  spec.instruments.add("sample", 100);
  spec.checks = check::CheckSet("race,init");
  spec.sample_launches = 7;
  const nlohmann::json json = spec_json(spec, config_of(spec));
  EXPECT_EQ(json, nlohmann::json::parse(R"({"kind": "workload", "program": "bfs", "arguments": [], "size": "tiny",
    "compiler": "nvcc", "kernel": null, "launch": null, "preset": "default", "settings": {"warp_size": 16},
    "mechanism": "pdom", "lanes": "none", "schedule": null, "fidelity": "cycle", "observers": ["scores", "sample"],
    "checks": ["race", "init"], "sample": 100, "sample_launches": 7})"));
}

TEST(Command, OfAValidationNamesWhatIsValidatedAndAgainstWhat) {
  RunSpec spec;
  spec.preset = "h200";
  spec.size = "paper";
  spec.mechanism = "its";
  EXPECT_EQ(validate_command(spec, {}, {}), "heddle validate --size paper --mechanism its --preset h200");
  spec.settings = {"l1_mshrs=64"};
  EXPECT_EQ(validate_command(spec, {"bfs", "latency."}, {"--hardware", "my gpu.csv", "--micro"}),
            "heddle validate bfs latency. --hardware 'my gpu.csv' --micro --size paper --mechanism its --preset h200 "
            "--set l1_mshrs=64");
}

}  // namespace
}  // namespace heddle

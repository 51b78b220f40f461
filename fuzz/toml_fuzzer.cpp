// Any bytes as the TOML file of a machine, and of an experiment.
#include "experiment/experiment.h"
#include "fuzz_target.h"
#include "gpu/machine_keys.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  fuzz::expect_result_or_error([&] {
    Config config = make_config();
    config.load_toml(fuzz::text_of(data, size), "fuzz.toml");
    check_machine(config);
  });
  return fuzz::expect_result_or_error([&] { read_experiment(fuzz::text_of(data, size), "fuzz", "fuzz.toml"); });
}

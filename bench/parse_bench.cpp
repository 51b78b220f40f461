// Time to parse and decode PTX, per megabyte.
#include <benchmark/benchmark.h>

#include <string>

#include "program/program.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

// All workloads in one module, again and again under new names, until there is a megabyte.
std::string megabyte_of_ptx() {
  std::string text = ".version 8.0\n.target sm_75\n.address_size 64\n";
  const std::string_view kernel = workloads::find("nvrt").ptx();
  const std::string body(kernel.substr(kernel.find(".visible .entry")));
  const std::string entry = body.substr(0, body.find("\n}") + 3);
  for (int copy = 0; text.size() < 1'000'000; ++copy) {
    std::string renamed = entry;
    const size_t name = renamed.find(".entry ") + 7;
    renamed.insert(name, "copy" + std::to_string(copy) + "_");
    text += renamed;
  }
  return text;
}

void parse_and_decode(benchmark::State& state) {
  const auto source = std::make_shared<ptx::Source>("large.ptx", megabyte_of_ptx());
  for (auto _ : state) {
    const auto program = Program::load(source);
    if (!program->problems().empty()) state.SkipWithError(program->problems().c_str());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(source->text().size()));
}
BENCHMARK(parse_and_decode)->Unit(benchmark::kMillisecond);

void parse_only(benchmark::State& state) {
  const auto source = std::make_shared<ptx::Source>("large.ptx", megabyte_of_ptx());
  for (auto _ : state) benchmark::DoNotOptimize(ptx::parse(source));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(source->text().size()));
}
BENCHMARK(parse_only)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle

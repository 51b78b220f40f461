// "The command again": the words that ask for a run, or for several side by side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/run_spec.h"

namespace heddle {

// `heddle run …`, `heddle exec …`, or where a profile was asked for `heddle profile …`; without settings that the run
// does not read.
std::string command_of(const RunSpec& spec, const std::vector<std::string>& more = {});  // more: words of the verb

// `heddle compare …` of workloads under mechanisms, which stand for those of the spec.
std::string command_of(const RunSpec& spec, const std::vector<std::string>& workloads,
                       const std::vector<std::string>& mechanisms);

// `heddle sweep …` over axes, each as "name=value,value".
std::string sweep_command(const RunSpec& spec, const std::vector<std::string>& workloads,
                          const std::vector<std::string>& axes);

// `heddle validate …` of these workloads and microbenchmarks; more: words of the verb.
std::string validate_command(const RunSpec& spec, const std::vector<std::string>& names,
                             const std::vector<std::string>& more);

// `heddle view …` under these mechanisms, which stand for that of the spec.
std::string view_command(const RunSpec& spec, const std::vector<std::string>& mechanisms,
                         const std::vector<std::string>& more);

std::string title_of(const RunSpec& spec);  // "bfs (small)"; the path of a file or program

// The options that launch a kernel of a PTX file; "" for others.
std::string launch_words(const RunSpec& spec);

}  // namespace heddle

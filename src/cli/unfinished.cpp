#include "cli/unfinished.h"

#include <fmt/format.h>

#include "cli/message.h"

namespace heddle::cli {

ExitCode unfinished(const Batch& batch, const std::string& results, const std::string& more) {
  const bool lacks = !batch.lacking().empty();
  print_error(
      fmt::format("{}: {} runs are missing; what was measured lies in {}, and the same command goes on from there{}",
                  lacks ? batch.lacking() : "interrupted", batch.missing(), results, more));
  return lacks ? ExitCode::Host : ExitCode::Interrupted;
}

}  // namespace heddle::cli

// The end of what runs many, where some of them are not made.
#pragma once

#include <string>

#include "base/error.h"
#include "experiment/batch.h"

namespace heddle::cli {

// Says why, and how to go on; `more`: what else is to be said. Interrupted, or Host.
ExitCode unfinished(const Batch& batch, const std::string& results, const std::string& more = {});

}  // namespace heddle::cli

// The gallery's examples, played on all cores of the host.
#pragma once

#include <string>
#include <vector>

#include "report/view/view.h"

namespace heddle::cli {

// Under these mechanisms, or each under all that there are. That a mechanism refuses an example, or never ends on it,
// is what the gallery shows; Error where it was interrupted.
std::vector<ViewExample> play_gallery(const std::vector<std::string>& mechanisms, size_t events, bool quiet);

}  // namespace heddle::cli

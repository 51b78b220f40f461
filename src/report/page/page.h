// The report: one HTML file that fetches nothing, for screens of every width and for paper, light and dark.
#pragma once

#include <string>

#include "report/page/report_data.h"

namespace heddle {

// `command` is what makes the page again.
std::string report_html(const ReportData& results, const std::string& command);

}  // namespace heddle

// The report: one HTML file that fetches nothing. It is the page of web/ (built into the program) with results inside.
#pragma once

#include <string>

#include "report/page/report_data.h"

namespace heddle {

// "heddle-page-1" (docs/json.md): what the page is given. `command` is what makes it again.
ReportData::Json page_data(const ReportData& results, const std::string& command);
std::string report_html(const ReportData& results, const std::string& command);
std::string report_html(const ReportData::Json& result);  // of one result, which carries its command

}  // namespace heddle

// The parts of the report that are no charts.
#pragma once

#include <string>

#include "report/page/charts.h"

namespace heddle {

std::string headline_html(const RunGroup& group);
std::string failures_html(const RunGroup& group);                 // runs that do not count, and why
std::string contenders_html(const ReportData::Json& experiment);  // every mechanism of a head-to-head in a line
std::string claims_html(const ReportData::Json& claims);          // what papers claim, what was measured, the verdict
std::string profile_html(const ReportData::Json& profile, size_t place);  // the source with what its lines cost
std::string machine_html(const RunGroup& group);                          // the resolved configuration

}  // namespace heddle

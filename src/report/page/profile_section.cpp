#include "report/page/sections.h"
namespace heddle {
std::string profile_html(const ReportData::Json& profile) { return profile.empty() ? "" : ""; }
}  // namespace heddle

// A result that heddle reproduce has kept, as the run it was.
#pragma once

#include "report/page/report_data.h"

namespace heddle {

// "heddle-result-1" as "heddle-run-1", with the preset that is nearest to its configuration. Null if it is not whole.
ReportData::Json run_of_kept(const ReportData::Json& kept);

}  // namespace heddle

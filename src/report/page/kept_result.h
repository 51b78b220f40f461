// A result that heddle reproduce has kept, as the run it was.
#pragma once

#include "report/page/report_data.h"

namespace heddle {

// "heddle-result-1" as "heddle-run-1". Null if it is not whole. One result stands for every run that reads the same
// keys, whoever asked for it first: its machine is what it read, and the preset that is nearest to that.
ReportData::Json run_of_kept(const ReportData::Json& kept);

}  // namespace heddle

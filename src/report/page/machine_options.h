// The options that choose the machine of a run again: preset, --set for what differs from it, lanes, schedule, …
#pragma once

#include "report/page/report_data.h"

namespace heddle {

// Pairs of name and value, [["--preset", "tbc-hpca11"], ["--set", "cores=8"], ["--emulate", ""]], so that nobody has to
// take a command apart. Runs with the same pairs were made on the same machine.
ReportData::Json machine_options(const ReportData::Json& run);

}  // namespace heddle

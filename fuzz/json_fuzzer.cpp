// Any bytes as the JSON file that `heddle report` makes a page of.
#include "fuzz_target.h"
#include "report/page/report_data.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const fuzz::MemoryFile file(data, size);
  return fuzz::expect_result_or_error([&] { read_report_data(file.path()); });
}

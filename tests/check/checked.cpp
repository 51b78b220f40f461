#include "check/checked.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::test {
namespace {

constexpr std::string_view kBefore = R"(.visible .entry k(.param .u64 data) {
  .shared .align 16 .b8 room[4096];
  .reg .b16 %h<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  .reg .pred %p<8>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  shl.b32 %r3, %r1, 2;
  cvt.u64.u32 %rd2, %r3;
  add.u64 %rd3, %rd1, %rd2;
)";

const unsigned kHeaderLines = 3;
const auto kLinesBefore = static_cast<unsigned>(std::count(kBefore.begin(), kBefore.end(), '\n'));

// "test.ptx:12:5 …" -> 12, counted from the first line of the body.
int line_in(const std::string& where) {
  const size_t colon = where.find(':');
  return std::stoi(where.substr(colon + 1)) - static_cast<int>(kHeaderLines + kLinesBefore);
}

}  // namespace

std::vector<std::string> CheckedGpu::found() const {
  std::vector<std::string> result;
  for (const check::Finding& finding : findings()) {
    std::string text(check::name_of(finding.kind));
    for (const check::Finding::Access& access : finding.accesses) text += fmt::format(" {}", line_in(access.where));
    result.push_back(std::move(text));
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> found_in(std::string_view checks, std::string_view body, unsigned blocks, unsigned threads,
                                  std::string_view mechanism) {
  if (body.starts_with('\n')) body.remove_prefix(1);
  CheckedGpu gpu(checks, fmt::format("{}{}  ret;\n}}", kBefore, body), mechanism);
  Buffer<uint32_t> data(gpu, std::vector<uint32_t>(4096), "data");
  gpu.launch("k", {{blocks}, {threads}}, Arguments(data.address()));
  return gpu.found();
}

}  // namespace heddle::test

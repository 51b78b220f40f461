#include "support/graph_probe.h"

#include <cstdio>
#include <iomanip>
#include <map>
#include <sstream>
#include <tuple>

namespace heddle::test {

GraphProbe GraphProbe::parse(std::string_view line) {
  GraphProbe probe;
  const size_t colon = line.find(':');
  std::istringstream blocks{std::string(line.substr(0, colon))}, bits{std::string(line.substr(colon + 1))};
  for (std::string word; blocks >> word;) {
    std::vector<unsigned>& next = probe.next.emplace_back();
    std::istringstream ways(word == "-" ? "" : word);
    for (std::string way; std::getline(ways, way, ',');) next.push_back(static_cast<unsigned>(std::stoul(way)));
  }
  std::string word;
  for (uint64_t& choices : probe.choices)
    if (bits >> word) choices = std::stoull(word, nullptr, 16);
  return probe;
}

std::string GraphProbe::text() const {
  std::ostringstream out;
  for (const std::vector<unsigned>& ways : next) {
    if (ways.empty()) out << '-';
    for (size_t i = 0; i < ways.size(); ++i) out << (i == 0 ? "" : ",") << ways[i];
    out << ' ';
  }
  out << ':' << std::hex;
  for (uint64_t bits : choices) out << ' ' << bits;
  return out.str();
}

namespace {

constexpr const char* kStart = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry probe(.param .u64 log)
{
  .reg .pred %p;
  .reg .b32 %mask, %lane;
  .reg .b64 %at, %time, %bits, %bit, %offset;
  .reg .f32 %x;
  ld.param.u64 %at, [log];
  mov.u32 %lane, %laneid;
  mul.wide.u32 %offset, %lane, 16;
  add.u64 %at, %at, %offset;
  ld.global.u64 %bits, [%at];
  cvt.rn.f32.u32 %x, %lane;
)";

// Blocks of a length that no compiler predicates, each with figures of its own so that none is shared.
constexpr unsigned kWork = 24;

constexpr const char* kChoice = R"(  and.b64 %bit, %bits, 1;
  shr.u64 %bits, %bits, 1;
  setp.ne.u64 %p, %bit, 0;
)";

}  // namespace

// The choices come with the log: the first entry of a thread holds them when it starts.
std::string GraphProbe::ptx() const {
  std::ostringstream out;
  out << kStart;
  for (size_t block = 0; block < next.size(); ++block) {
    out << "B" << block
        << ":\n  activemask.b32 %mask;\n  mov.u64 %time, %clock64;\n  st.volatile.global.v2.u32 [%at], {" << block + 1
        << ", %mask};\n  st.volatile.global.u64 [%at+8], %time;\n  add.u64 %at, %at, 512;\n";
    for (unsigned i = 0; i < kWork; ++i)
      out << "  fma.rn.f32 %x, %x, 0f3f8" << std::hex << std::setw(5) << std::setfill('0') << 64 * block + i + 1
          << std::dec << ", %x;\n";
    const std::vector<unsigned>& ways = next[block];
    if (ways.size() == 2) out << kChoice << "  @%p bra B" << ways[0] << ";\n";
    if (ways.empty())
      out << "  st.volatile.global.f32 [%at+8], %x;\n  ret;\n";
    else if (ways.back() != block + 1)
      out << "  bra B" << ways.back() << ";\n";
  }
  out << "}\n";
  return out.str();
}

KernelProbe KernelProbe::parse(const std::string& line) {
  KernelProbe probe;
  std::istringstream words(line);
  std::string a, b;
  words >> probe.kernel >> probe.n >> a >> b;
  for (char digit : a + b) probe.figures.push_back(digit - '0');
  return probe;
}

std::string groups_of(const std::vector<ProbeEntry>& log) {
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, unsigned> groups;
  for (const ProbeEntry& entry : log)
    if (entry.block_plus_one != 0) ++groups[{entry.clock, entry.block_plus_one, entry.mask}];
  std::string text;
  for (const auto& [key, threads] : groups) {
    char group[32];
    std::snprintf(group, sizeof group, "%s%u:%08x", text.empty() ? "" : " ", std::get<1>(key) - 1, std::get<2>(key));
    text += group;
  }
  return text;
}

}  // namespace heddle::test

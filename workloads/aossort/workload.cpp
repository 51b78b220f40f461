#include <algorithm>

#include "workloads/support.h"

namespace heddle::workloads::aossort {

namespace {

constexpr uint32_t kChunk = 128;

struct Record {  // as in kernel.cu
  uint32_t key, payload[3];
};

// Keys from a range so narrow that they repeat within a row. The payload tells all records apart.
std::vector<Record> random_table(uint32_t rows, uint32_t row_length) {
  Random random(1);
  std::vector<Record> table;
  for (uint32_t i = 0; i < rows * row_length; ++i)
    table.push_back({random.below(4 * row_length), {i, random.below(1000), ~i}});
  return table;
}

std::vector<uint32_t> words(const std::vector<Record>& records) {
  std::vector<uint32_t> all;
  for (const Record& record : records) {
    all.push_back(record.key);
    all.insert(all.end(), record.payload, record.payload + 3);
  }
  return all;
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t rows = by_size(size, 1u, 6u, 80u), row_length = by_size(size, 300u, 1000u, 1000u);
  std::vector<Record> table = random_table(rows, row_length);
  const Buffer<Record> records(device, table, "table");

  const uint32_t chunks = ceil_div(row_length, kChunk);
  device.launch("sort_chunks", {.grid = {chunks, rows}, .block = {kChunk}}, Arguments(records.address(), row_length));
  // As many phases as there are chunks bring each of them from one end to the other.
  for (uint32_t phase = 0; phase < chunks; ++phase) {
    const uint32_t first = phase % 2, pairs = (chunks - first) / 2;
    device.launch("merge_neighbours", {.grid = {pairs, rows}, .block = {kChunk}},
                  Arguments(records.address(), row_length, first));
  }

  for (uint32_t row = 0; row < rows; ++row)
    std::stable_sort(table.begin() + row * row_length, table.begin() + (row + 1) * row_length,
                     [](const Record& a, const Record& b) { return a.key < b.key; });
  return compare("table", words(table), words(records.download()));
}

}  // namespace heddle::workloads::aossort

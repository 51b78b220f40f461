// What moves matrices of 8 rows of 8 elements of 16 bits between the lanes of a warp. Of such a fragment lane
// 4 * row + column / 2 has two elements.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "exec/handlers.h"
#include "exec/matrix.h"

namespace heddle {
namespace {

using Words = std::array<uint32_t, kRow>;

Words words_of(const Context& context, const Operand& operand, Hw first) {
  Words words;
  std::copy_n(context.source_row<uint32_t>(operand, first), kRow, words.begin());
  return words;
}

Words transposed(const Words& fragment) {
  Words result;
  const auto element = [&](unsigned row, unsigned column) {
    return fragment[4 * row + column / 2] >> (16 * (column % 2)) & 0xFFFF;
  };
  for (unsigned lane = 0; lane < kRow; ++lane)
    result[lane] = element(lane % 4 * 2, lane / 4) | element(lane % 4 * 2 + 1, lane / 4) << 16;
  return result;
}

void put(const Context& context, const Operand& operand, Hw first, const Words& words) {
  std::copy(words.begin(), words.end(), context.row<uint32_t>(operand, first));
}

void move_matrix(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  put(context, i.dst[0], lanes.first, transposed(words_of(context, i.src[0], lanes.first)));
}

// ldmatrix: lane 8 * matrix + row has loaded the four words of that row.
void rows_to_fragments(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  std::array<Words, 4> rows;
  for (unsigned word = 0; word < 4; ++word) rows[word] = words_of(context, i.src[word], lanes.first);
  for (unsigned matrix = 0; matrix < i.dst_count; ++matrix) {
    Words fragment;
    for (unsigned lane = 0; lane < kRow; ++lane) fragment[lane] = rows[lane % 4][8 * matrix + lane / 4];
    put(context, i.dst[matrix], lanes.first, i.has(Mod::Trans) ? transposed(fragment) : fragment);
  }
}

// stmatrix: lane 8 * matrix + row will store them.
void fragments_to_rows(Context& context, const Instruction& i, const Lanes& lanes) {
  need_all_lanes(context, i, lanes);
  std::array<Words, 4> rows{};
  for (unsigned matrix = 0; matrix + 1U < i.src_count; ++matrix) {
    const Words given = words_of(context, i.src[matrix], lanes.first);
    const Words fragment = i.has(Mod::Trans) ? transposed(given) : given;
    for (unsigned lane = 0; lane < kRow; ++lane) rows[lane % 4][8 * matrix + lane / 4] = fragment[lane];
  }
  for (unsigned word = 0; word < 4; ++word) put(context, i.dst[word], lanes.first, rows[word]);
}

}  // namespace

void need_all_lanes(Context& context, const Instruction& i, const Lanes& lanes) {
  if (lanes.mask.full()) return;
  const char* name = i.op == Op::Mma ? "mma" : "an instruction on matrices";
  throw context.fault(lanes.thread(lanes.mask.lowest()),
                      fmt::format("{} needs all 32 threads of its warp, and {} are here", name, lanes.mask.count()));
}

Handler select_matrix_move(const Instruction& i) {
  switch (i.op) {
    case Op::MovMatrix: return &move_matrix;
    case Op::RowsToFragments: return &rows_to_fragments;
    case Op::FragmentsToRows: return &fragments_to_rows;
    default: return nullptr;
  }
}

}  // namespace heddle

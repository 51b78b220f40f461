// The suffix tree of a reference sequence, in the two tables mum's kernel walks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::workloads::mum {

struct alignas(16) Node {  // an edge of kernel.cu
  int32_t label_begin, label_end, suffix_link, unused = 0;
};

struct alignas(16) Children {  // of a node, in kernel.cu
  std::array<int32_t, 4> by_base;
};

// By node, of which the root is the first; nodes nearer to it have lower numbers.
struct SuffixTree {
  std::vector<Node> nodes;
  std::vector<Children> children;
  std::vector<int32_t> depths;  // bases from the root to the end of the label
};

// The reference ends with kEnd; the edges that begin with it are left out.
SuffixTree suffix_tree(const std::vector<uint8_t>& reference);

}  // namespace heddle::workloads::mum

// The suffix tree of a reference sequence, in the form mum's kernel walks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::workloads::mum {

struct Node {  // as in kernel.cu
  int32_t label_begin, label_end;
  std::array<int32_t, 4> children;
  int32_t suffix_link;
  int32_t depth;
};

// The root is node 0. The reference ends with kEnd; the edges that begin with it are left out.
std::vector<Node> suffix_tree(const std::vector<uint8_t>& reference);

}  // namespace heddle::workloads::mum

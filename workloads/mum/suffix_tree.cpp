#include "workloads/mum/suffix_tree.h"

namespace heddle::workloads::mum {

namespace {

constexpr int32_t kRoot = 0, kNone = -1;

struct Made {  // a node in the order of construction
  int32_t label_begin, label_end;
  std::array<int32_t, 4> children;
  int32_t suffix_link;
};

// On-line construction (Ukkonen 1995). The active point is where the longest suffix ends that is already in
// the tree: `edge_length_` bases down the edge of the active node that begins with base `edge_`.
class Builder {
 public:
  explicit Builder(const std::vector<uint8_t>& text) : text_(text), end_(static_cast<int32_t>(text.size())) {
    add_node(0, 0);
    for (int32_t i = 0; i < end_; ++i) extend(i);
  }

  const std::vector<Made>& nodes() const { return nodes_; }

 private:
  int32_t add_node(int32_t label_begin, int32_t label_end) {
    nodes_.push_back({label_begin, label_end, {kNone, kNone, kNone, kNone}, kRoot});
    return static_cast<int32_t>(nodes_.size()) - 1;
  }

  // Leaves behind the mark are never walked to, and are not made.
  void add_leaf(int32_t parent, int32_t i) {
    if (text_[i] < 4) nodes_[parent].children[text_[i]] = add_node(i, end_);
  }

  int32_t child(int32_t node, int32_t i) const { return text_[i] < 4 ? nodes_[node].children[text_[i]] : kNone; }
  int32_t label_length(int32_t node) const { return nodes_[node].label_end - nodes_[node].label_begin; }

  void link(int32_t& from, int32_t to) {
    if (from != kNone) nodes_[from].suffix_link = to;
    from = to;
  }

  // Adds text_[i] to every suffix that is not in the tree yet.
  void extend(int32_t i) {
    int32_t unlinked = kNone;
    for (++missing_; missing_ > 0; --missing_) {
      if (edge_length_ == 0) edge_ = i;
      const int32_t next = child(active_, edge_);
      if (next == kNone) {
        add_leaf(active_, i);
        link(unlinked, active_);
      } else if (edge_length_ >= label_length(next)) {
        pass(next);
        ++missing_;  // the same suffix again, from further down
        continue;
      } else if (text_[nodes_[next].label_begin + edge_length_] == text_[i]) {
        ++edge_length_;
        link(unlinked, active_);
        return;
      } else {
        link(unlinked, split(next, i));
      }
      to_next_suffix(i);
    }
  }

  void pass(int32_t next) {
    edge_ += label_length(next);
    edge_length_ -= label_length(next);
    active_ = next;
  }

  int32_t split(int32_t next, int32_t i) {
    const int32_t begin = nodes_[next].label_begin, middle = add_node(begin, begin + edge_length_);
    nodes_[active_].children[text_[edge_]] = middle;
    nodes_[next].label_begin += edge_length_;
    nodes_[middle].children[text_[nodes_[next].label_begin]] = next;
    add_leaf(middle, i);
    return middle;
  }

  void to_next_suffix(int32_t i) {
    if (active_ == kRoot && edge_length_ > 0) {
      --edge_length_;
      edge_ = i - missing_ + 2;
    } else if (active_ != kRoot) {
      active_ = nodes_[active_].suffix_link;
    }
  }

  const std::vector<uint8_t>& text_;
  int32_t end_;
  std::vector<Made> nodes_;
  int32_t active_ = kRoot, edge_ = 0, edge_length_ = 0;
  int32_t missing_ = 0;  // suffixes that end at the base at hand and are not in the tree yet
};

// All nodes, breadth first.
std::vector<int32_t> by_distance(const std::vector<Made>& nodes) {
  std::vector<int32_t> order = {kRoot};
  for (size_t i = 0; i < order.size(); ++i)
    for (const int32_t next : nodes[order[i]].children)
      if (next != kNone) order.push_back(next);
  return order;
}

}  // namespace

SuffixTree suffix_tree(const std::vector<uint8_t>& reference) {
  const Builder builder(reference);
  const std::vector<Made>& made = builder.nodes();
  const std::vector<int32_t> order = by_distance(made);
  std::vector<int32_t> number(order.size());
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int32_t>(i);
  SuffixTree tree{{}, {}, std::vector<int32_t>(order.size())};
  for (size_t i = 0; i < order.size(); ++i) {
    const Made& node = made[order[i]];
    tree.nodes.push_back({node.label_begin, node.label_end, i == kRoot ? kNone : number[node.suffix_link]});
    Children& children = tree.children.emplace_back();
    for (size_t base = 0; base < 4; ++base) {
      const int32_t next = node.children[base];
      children.by_base[base] = next == kNone ? kNone : number[next];
      if (next != kNone) tree.depths[number[next]] = tree.depths[i] + made[next].label_end - made[next].label_begin;
    }
  }
  return tree;
}

}  // namespace heddle::workloads::mum

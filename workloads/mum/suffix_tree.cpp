#include "workloads/mum/suffix_tree.h"

namespace heddle::workloads::mum {

namespace {

constexpr int32_t kRoot = 0, kNone = -1;

// On-line construction (Ukkonen 1995). The active point is where the longest suffix ends that is already in
// the tree: `edge_length_` bases down the edge of the active node that begins with base `edge_`.
class Builder {
 public:
  explicit Builder(const std::vector<uint8_t>& text) : text_(text), end_(static_cast<int32_t>(text.size())) {
    add_node(0, 0);
    for (int32_t i = 0; i < end_; ++i) extend(i);
  }

  std::vector<Node> take() {
    set_depths();
    return std::move(nodes_);
  }

 private:
  int32_t add_node(int32_t label_begin, int32_t label_end) {
    nodes_.push_back({label_begin, label_end, {kNone, kNone, kNone, kNone}, kRoot, 0});
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

  void set_depths() {
    std::vector<int32_t> open = {kRoot};
    while (!open.empty()) {
      const int32_t node = open.back();
      open.pop_back();
      for (int32_t next : nodes_[node].children) {
        if (next == kNone) continue;
        nodes_[next].depth = nodes_[node].depth + label_length(next);
        open.push_back(next);
      }
    }
  }

  const std::vector<uint8_t>& text_;
  int32_t end_;
  std::vector<Node> nodes_;
  int32_t active_ = kRoot, edge_ = 0, edge_length_ = 0;
  int32_t missing_ = 0;  // suffixes that end at the base at hand and are not in the tree yet
};

}  // namespace

std::vector<Node> suffix_tree(const std::vector<uint8_t>& reference) { return Builder(reference).take(); }

}  // namespace heddle::workloads::mum

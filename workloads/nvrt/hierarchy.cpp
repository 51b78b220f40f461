#include <array>
#include <numeric>

#include "workloads/nvrt/scene.h"

namespace heddle::workloads::nvrt {

namespace {

constexpr uint32_t kLeafTriangles = 4, kBins = 16;
constexpr Bounds kNothing = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

Bounds joined(const Bounds& a, const Bounds& b) { return {minimum(a.low, b.low), maximum(a.high, b.high)}; }

Bounds bounds_of(const Triangle& triangle) {
  const Vector a = triangle.corner, b = plus(a, triangle.edge1), c = plus(a, triangle.edge2);
  return {minimum(a, minimum(b, c)), maximum(a, maximum(b, c))};
}

Vector twice_the_middle(const Bounds& box) { return plus(box.low, box.high); }

float half_surface(const Bounds& box) {
  const Vector size = minus(box.high, box.low);
  return std::fma(size.x, size.y, std::fma(size.y, size.z, size.z * size.x));
}

int longest_axis(const Bounds& box) {
  const Vector size = minus(box.high, box.low);
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

struct Bin {
  Bounds box = kNothing;
  uint32_t count = 0;
  void add(const Bin& other) {
    box = joined(box, other.box);
    count += other.count;
  }
  float cost() const { return count == 0 ? 0 : static_cast<float>(count) * half_surface(box); }
};

// The number of bins in the lower half where both halves cost least.
uint32_t best_split(const std::array<Bin, kBins>& bins) {
  std::array<float, kBins> upper_cost{};
  Bin upper, lower;
  for (uint32_t i = kBins; i-- > 1;) {
    upper.add(bins[i]);
    upper_cost[i] = upper.cost();
  }
  uint32_t best = 1;
  float least = 1e30f;
  for (uint32_t i = 1; i < kBins; ++i) {
    lower.add(bins[i - 1]);
    if (lower.cost() + upper_cost[i] >= least) continue;
    least = lower.cost() + upper_cost[i];
    best = i;
  }
  return best;
}

class HierarchyBuilder {
 public:
  explicit HierarchyBuilder(const std::vector<Triangle>& triangles) : triangles_(triangles), order_(triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    for (const Triangle& triangle : triangles) bounds_.push_back(bounds_of(triangle));
  }

  Scene build() {
    add_node(0, static_cast<uint32_t>(order_.size()));
    return std::move(scene_);
  }

 private:
  // The number of a node, or ~ the first triangle of a leaf.
  int32_t add_child(uint32_t begin, uint32_t end) {
    return end - begin <= kLeafTriangles ? add_leaf(begin, end) : add_node(begin, end);
  }

  int32_t add_leaf(uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      scene_.triangles.push_back(triangles_[order_[i]]);
      scene_.triangles.back().is_last = i + 1 == end;
    }
    return ~static_cast<int32_t>(begin);
  }

  int32_t add_node(uint32_t begin, uint32_t end) {
    const size_t number = scene_.nodes.size();
    const uint32_t middle = split(begin, end);
    scene_.nodes.push_back({{box_of(begin, middle), box_of(middle, end)}, {}});
    const int32_t lower = add_child(begin, middle), upper = add_child(middle, end);
    scene_.nodes[number].children[0] = lower;
    scene_.nodes[number].children[1] = upper;
    return static_cast<int32_t>(number);
  }

  // Wide enough that rounding in the box tests cannot lose a triangle inside.
  Bounds box_of(uint32_t begin, uint32_t end) const {
    Bounds box = kNothing;
    for (uint32_t i = begin; i < end; ++i) box = joined(box, bounds_[order_[i]]);
    const Vector margin = {1e-4f, 1e-4f, 1e-4f};
    return {minus(box.low, margin), plus(box.high, margin)};
  }

  // Puts the triangles of the lower half first; halves by number where all are in one place.
  uint32_t split(uint32_t begin, uint32_t end) {
    Bounds middles = kNothing;
    for (uint32_t i = begin; i < end; ++i) {
      const Vector middle = twice_the_middle(bounds_[order_[i]]);
      middles = joined(middles, {middle, middle});
    }
    const int axis = longest_axis(middles);
    const float low = component(middles.low, axis), width = component(middles.high, axis) - low;
    auto bin_of = [&](uint32_t triangle) {
      const float place = (component(twice_the_middle(bounds_[triangle]), axis) - low) / width;
      return std::min(kBins - 1, static_cast<uint32_t>(place * kBins));
    };
    if (width <= 0) return (begin + end) / 2;
    std::array<Bin, kBins> bins;
    for (uint32_t i = begin; i < end; ++i) bins[bin_of(order_[i])].add({bounds_[order_[i]], 1});
    const uint32_t best = best_split(bins);
    const auto upper = std::stable_partition(order_.begin() + begin, order_.begin() + end,
                                             [&](uint32_t triangle) { return bin_of(triangle) < best; });
    return static_cast<uint32_t>(upper - order_.begin());
  }

  const std::vector<Triangle>& triangles_;
  std::vector<uint32_t> order_;
  std::vector<Bounds> bounds_;
  Scene scene_;
};

}  // namespace

Scene with_hierarchy(const std::vector<Triangle>& triangles) { return HierarchyBuilder(triangles).build(); }

}  // namespace heddle::workloads::nvrt

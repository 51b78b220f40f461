// Structure recovery: regions around all that branches jump over, in the order of structure_layout.h. Regions are made
// as WebAssembly compilers make their blocks: one ends before every block that is reached by a forward branch from
// anywhere but the block in front of it, begins where the first of these branches is, and is widened until it nests
// with the others.
#include "program/structure.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "program/analysis.h"
#include "program/flow_graph.h"
#include "program/structure_layout.h"

namespace heddle {
namespace {

constexpr uint32_t kNoRegion = ~uint32_t{0};
constexpr uint64_t kMostGrowth = 16, kAlwaysAllowed = 4096;  // instructions after node splitting

using Kind = Structure::Region::Kind;
using NodeId = FlowGraph::NodeId;

struct Interval {  // of the order
  uint32_t begin = 0, end = 0;
  Kind kind = Kind::If;
  uint32_t loop = 0;  // Loop: which one
};

// Turns one function into items and regions.
class FunctionBuilder {
 public:
  FunctionBuilder(const Kernel& kernel, const FlowGraph& graph, Structure& result)
      : kernel_(kernel), graph_(graph), result_(result), layout_(kernel, graph) {
    position_.resize(graph.size());
    for (uint32_t i = 0; i < layout_.order().size(); ++i) position_[layout_.order()[i]] = i;
  }

  void build() {
    find_intervals();
    emit_items();
    for (const uint32_t item : items_) connect(item);
  }

 private:
  uint32_t count() const { return static_cast<uint32_t>(layout_.order().size()); }

  // Does a thread come from the block at `from` to the one behind it without leaving a loop?
  bool falls(uint32_t from, uint32_t to) const { return to == from + 1 && !loop_ends_[to]; }

  void find_intervals() {
    std::vector<std::vector<Interval>> ends(count() + 1U);
    loop_ends_.assign(count() + 1U, false);
    for (size_t i = layout_.loops().size(); i-- > 0;) {  // inner ones first
      const StructureLayout::Loop& loop = layout_.loops()[i];
      ends[loop.end].push_back({loop.begin, loop.end, Kind::Loop, static_cast<uint32_t>(i)});
      loop_ends_[loop.end] = true;
    }
    std::vector<uint32_t> first(count(), count());  // by position: the first branch to there
    for (uint32_t from = 0; from < count(); ++from)
      for (NodeId next : graph_[layout_.order()[from]].next)
        if (const uint32_t to = position_[next]; to > from && !falls(from, to)) first[to] = std::min(first[to], from);
    std::vector<Interval> widest;  // of those that have ended: disjoint, ascending
    const auto add = [&](Interval interval) {
      while (!widest.empty() && widest.back().end > interval.begin) {
        interval.begin = std::min(interval.begin, widest.back().begin);
        widest.pop_back();
      }
      widest.push_back(interval);
      intervals_.push_back(interval);
    };
    for (uint32_t at = 0; at < count(); ++at) {
      for (const Interval& loop : ends[at]) add(loop);
      if (first[at] < at) add({first[at], at, loop_ends_[at] ? Kind::Exit : Kind::If});
    }
    for (const Interval& loop : ends[count()]) add(loop);
    intervals_.push_back({0, count(), Kind::Function});
    // In the order in which they begin, the outer first; a loop is inside of what ends with it.
    std::stable_sort(intervals_.begin(), intervals_.end(), [](const Interval& a, const Interval& b) {
      return std::tuple(a.begin, ~a.end, a.kind != Kind::Function, a.kind == Kind::Loop, a.loop) <
             std::tuple(b.begin, ~b.end, b.kind != Kind::Function, b.kind == Kind::Loop, b.loop);
    });
  }

  void emit_items() {
    std::vector<std::pair<uint32_t, uint32_t>> open;  // region, its end in the order
    region_of_loop_.assign(layout_.loops().size(), kNoRegion);
    region_before_.assign(count(), kNoRegion);
    size_t next = 0;
    for (uint32_t at = 0; at <= count(); ++at) {
      for (; !open.empty() && open.back().second == at; open.pop_back()) {
        const uint32_t region = open.back().first;
        if (at < count()) region_before_[at] = region;  // the outermost stays
        result_.regions[region].end = static_cast<uint32_t>(result_.items.size());
        result_.items.push_back({Structure::Item::Kind::End, region, region});
      }
      for (; next < intervals_.size() && intervals_[next].begin == at; ++next) {
        const auto region = static_cast<uint32_t>(result_.regions.size());
        const Kind kind = intervals_[next].kind;
        if (kind == Kind::Loop) region_of_loop_[intervals_[next].loop] = region;
        const auto begin = static_cast<uint32_t>(result_.items.size());
        result_.regions.push_back({kind, begin, begin, static_cast<uint32_t>(open.size() + 1)});
        result_.items.push_back({Structure::Item::Kind::Begin, region, open.empty() ? region : open.back().first});
        open.emplace_back(region, intervals_[next].end);
      }
      if (at == count()) break;
      const uint32_t around = open.back().first;
      items_.push_back(static_cast<uint32_t>(result_.items.size()));
      result_.items.push_back({Structure::Item::Kind::Block, around, around, graph_[layout_.order()[at]].block});
    }
  }

  uint32_t loop_of(NodeId from, NodeId to) const {
    const auto found = layout_.back_edges().find({from, to});
    return found == layout_.back_edges().end() ? kNoRegion : region_of_loop_[found->second];
  }

  void connect(uint32_t index) {
    Structure::Item& item = result_.items[index];
    const auto from = static_cast<uint32_t>(std::lower_bound(items_.begin(), items_.end(), index) - items_.begin());
    for (NodeId next : graph_[layout_.order()[from]].next) {
      const uint32_t to = position_[next];
      Structure::Edge edge{kernel_.blocks[graph_[next].block].begin, 0, 0};
      if (to <= from || !falls(from, to)) {
        const uint32_t region = to > from ? region_before_[to] : loop_of(layout_.order()[from], next);
        require(region != kNoRegion, "a branch goes where no region ends");
        const Structure::Region &left = result_.regions[region], &here = result_.region_of(item);
        require(left.begin < index && index < left.end && left.depth <= here.depth, "a branch leaves no region");
        edge.levels = here.depth - left.depth + 1;
        edge.waits_at = left.end;
      }
      item.edges.push_back(edge);
    }
  }

  const Kernel& kernel_;
  const FlowGraph& graph_;
  Structure& result_;
  const StructureLayout layout_;
  std::vector<uint32_t> position_;  // by node
  std::vector<bool> loop_ends_;     // by position: a loop ends before it
  std::vector<Interval> intervals_;
  std::vector<uint32_t> items_;  // by position
  std::vector<uint32_t> region_of_loop_;
  std::vector<uint32_t> region_before_;  // by position: the region that ends before it
};

}  // namespace

void find_structure(Kernel& kernel) {
  auto result = std::make_shared<Structure>();
  for (uint32_t function = 0; function < kernel.functions.size(); ++function) {
    FlowGraph graph(kernel, function);
    const uint64_t before = graph.instructions();
    graph.free_early_exits();
    result->begins.push_back(static_cast<uint32_t>(result->items.size()));
    result->instructions_before += before;
    if (!graph.make_reducible(std::max(kMostGrowth * before, kAlwaysAllowed))) {
      result->problem = "the jumps of " + kernel.functions[function].name +
                        " form no nested loops, and copying code until they do makes it too long";
      break;
    }
    result->instructions += graph.instructions();
    FunctionBuilder(kernel, graph, *result).build();
  }
  kernel.structure = std::move(result);
}

}  // namespace heddle

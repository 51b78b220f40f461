// The table of workloads. NAME::run() lives in NAME/workload.cpp, in a namespace of its own.
#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "workloads/workload.h"

namespace heddle::workloads {

// clang-format off
namespace aes { Check run(Device&, Size); }
namespace aossort { Check run(Device&, Size); }
namespace atm { Check run(Device&, Size); }
namespace backprop { Check run(Device&, Size); }
namespace bfs { Check run(Device&, Size); }
namespace bfspowerlaw { Check run(Device&, Size); }
namespace binomial { Check run(Device&, Size); }
namespace bitonic { Check run(Device&, Size); }
namespace blackjack { Check run(Device&, Size); }
namespace blackscholes { Check run(Device&, Size); }
namespace bucketsort { Check run(Device&, Size); }
namespace cfd { Check run(Device&, Size); }
namespace convsep { Check run(Device&, Size); }
namespace cp { Check run(Device&, Size); }
namespace decrypt { Check run(Device&, Size); }
namespace dg { Check run(Device&, Size); }
namespace dwthaar { Check run(Device&, Size); }
namespace dxtc { Check run(Device&, Size); }
namespace eigenvalues { Check run(Device&, Size); }
namespace facedetect { Check run(Device&, Size); }
namespace fdtd3d { Check run(Device&, Size); }
namespace fft { Check run(Device&, Size); }
namespace hashtable { Check run(Device&, Size); }
namespace heartwall { Check run(Device&, Size); }
namespace histogram { Check run(Device&, Size); }
namespace hotspot { Check run(Device&, Size); }
namespace indirect { Check run(Device&, Size); }
namespace kmeans { Check run(Device&, Size); }
namespace leukocyte { Check run(Device&, Size); }
namespace libor { Check run(Device&, Size); }
namespace longpaths { Check run(Device&, Size); }
namespace lps { Check run(Device&, Size); }
namespace mandelbrot { Check run(Device&, Size); }
namespace matmul { Check run(Device&, Size); }
namespace mergesort { Check run(Device&, Size); }
namespace mum { Check run(Device&, Size); }
namespace mumpp { Check run(Device&, Size); }
namespace namd { Check run(Device&, Size); }
namespace needleman { Check run(Device&, Size); }
namespace nn { Check run(Device&, Size); }
namespace nvrt { Check run(Device&, Size); }
namespace particlefilter { Check run(Device&, Size); }
namespace quasirandom { Check run(Device&, Size); }
namespace ray { Check run(Device&, Size); }
namespace recursion { Check run(Device&, Size); }
namespace reduction0 { Check run(Device&, Size); }
namespace sobel { Check run(Device&, Size); }
namespace sortingnetworks { Check run(Device&, Size); }
namespace stencil3d { Check run(Device&, Size); }
namespace storegpu { Check run(Device&, Size); }
namespace streamcluster { Check run(Device&, Size); }
namespace tpacf { Check run(Device&, Size); }
namespace treebuild { Check run(Device&, Size); }
namespace unstructured { Check run(Device&, Size); }
namespace viterbi { Check run(Device&, Size); }
namespace workqueue { Check run(Device&, Size); }
namespace wp { Check run(Device&, Size); }
// clang-format on

namespace {

constexpr std::array kWorkloads = {
    Workload{"aes", "tbc", "256", "AES-128 encryption, tables in shared memory", aes::run},
    Workload{"aossort", "slp", "128", "sorting an array of structures by key in odd and even phases", aossort::run},
    Workload{"atm", "", "128", "bank transfers under two locks each, threads of one warp want the same accounts",
             atm::run, Kind::Waits},
    Workload{"backprop", "tbc capri slp", "16x16", "neural layer: tx==0 loads, tree reduction, weight update",
             backprop::run},
    Workload{"bfs", "tbc capri slp lwm", "512/256", "level-synchronous breadth-first search on a random graph",
             bfs::run},
    Workload{"bfspowerlaw", "", "512/256", "the search of bfs on a power-law graph, where a few nodes have most edges",
             bfspowerlaw::run},
    Workload{"binomial", "slp", "128", "binomial option pricing, the active range shrinks step by step", binomial::run},
    Workload{"bitonic", "slp", "256", "bitonic sort in shared memory, ixj > tid, (tid & k) == 0", bitonic::run},
    Workload{"blackjack", "lwm", "256", "Monte Carlo of the card game to the house edge", blackjack::run},
    Workload{"blackscholes", "lwm", "128", "option pricing with transcendental functions, grid-stride loop",
             blackscholes::run},
    Workload{"bucketsort", "lwm", "256", "parallel bucket sort: count, prefix sum, move, one thread sorts a bucket",
             bucketsort::run},
    Workload{"cfd", "capri", "192", "Euler flow over an unstructured mesh, fluxes over four faces with boundary cases",
             cfd::run},
    Workload{"convsep", "slp", "16x4/16x8", "separable convolution with apron loads", convsep::run},
    Workload{"cp", "tbc", "16x8", "Coulomb potential of point charges on a plane of a grid", cp::run},
    Workload{"decrypt", "lwm", "256", "AES-128 decryption, one thread per cipher block", decrypt::run},
    Workload{"dg", "tbc", "84/112/256", "Maxwell's equations by a discontinuous Galerkin method, odd block sizes",
             dg::run},
    Workload{"dwthaar", "slp", "256", "Haar wavelet levels in shared memory, the active half shrinks", dwthaar::run},
    Workload{"dxtc", "slp", "64", "DXT1 texture compression: search over all cuts of a tile, then a reduction",
             dxtc::run},
    Workload{"eigenvalues", "slp", "256", "bisection on tridiagonal matrices, a thread per interval, intervals die off",
             eigenvalues::run},
    Workload{"facedetect", "tbc", "32x6", "cascade of threshold tests over image windows, most windows leave early",
             facedetect::run},
    Workload{"fdtd3d", "slp", "32x16", "3-D finite differences, rim of radius 4 under conditions on the thread index",
             fdtd3d::run},
    Workload{"fft", "capri stackless", "64", "radix-2 Fourier transforms in shared memory, inlined and with real calls",
             fft::run},
    Workload{"hashtable", "", "128", "chained hash table, inserts under a lock per bucket, threads of one warp collide",
             hashtable::run, Kind::Waits},
    Workload{"heartwall", "tbc", "512",
             "template matching on ultrasound frames, a long kernel with many guarded phases", heartwall::run},
    Workload{"histogram", "lwm", "256", "256-bin histogram, atomics on shared memory", histogram::run},
    Workload{"hotspot", "tbc lwm", "16x16", "2-D temperature stencil, rings of halo threads drop out step by step",
             hotspot::run},
    Workload{"indirect", "stackless", "64", "bytecode interpreter: jump table and function-pointer table",
             indirect::run},
    Workload{"kmeans", "lwm", "256", "clustering, points that change their cluster update its sums", kmeans::run},
    Workload{"leukocyte", "tbc", "175", "cell detection, dilation, gradient vector flow; five and a half warps a block",
             leukocyte::run},
    Workload{"libor", "tbc capri", "64", "LIBOR market model by Monte Carlo: value of a path and its gradient",
             libor::run},
    Workload{"longpaths", "", "64", "both sides of a branch follow chains through memory", longpaths::run,
             Kind::Beyond},
    Workload{"lps", "tbc capri slp", "32x4", "3-D Laplace, border threads idle, loop over planes", lps::run},
    Workload{"mandelbrot", "slp", "32x8", "escape time per pixel with a persistent tile loop", mandelbrot::run},
    Workload{"matmul", "lwm", "16x16", "tiled matrix product", matmul::run},
    Workload{"mergesort", "tbc", "128/256", "bucket split, then merge sort with a thread per pair of runs",
             mergesort::run},
    Workload{"mum", "tbc capri slp", "256", "suffix-tree matching of many reads, one thread per read, early mismatch",
             mum::run},
    Workload{"mumpp", "tbc capri", "192", "the matching of mum on a flattened, two-table layout", mumpp::run},
    Workload{"namd", "tbc", "64", "pairwise forces with a cut-off, list of neighbouring patches per block", namd::run},
    Workload{"needleman", "lwm", "16/32", "Needleman-Wunsch wavefront in tiles, one launch per diagonal of tiles",
             needleman::run},
    Workload{"nn", "tbc", "16", "nearest neighbours among places in lines of text, blocks of half a warp", nn::run},
    Workload{"nvrt", "tbc", "32x6", "ray tracing with persistent threads and a BVH walk, relies on warp synchrony",
             nvrt::run, Kind::Usual, 32},
    Workload{"particlefilter", "capri", "128", "particle filter: weights, cumulative sum, resampling by a search",
             particlefilter::run},
    Workload{"quasirandom", "capri slp", "128x3",
             "Sobol's quasirandom points and the inverse of the normal distribution", quasirandom::run},
    Workload{"ray", "tbc capri", "16x8", "Whitted ray tracer: a few spheres over a plane, shadows, reflections",
             ray::run},
    Workload{"recursion", "stackless", "64", "quicksort per thread by real device recursion", recursion::run},
    Workload{"reduction0", "slp lwm", "256", "interleaved-address reduction, tid % (2*s) == 0", reduction0::run},
    Workload{"sobel", "slp", "16x4", "Sobel filter with border handling, a branch per pixel on its brightness",
             sobel::run},
    Workload{"sortingnetworks", "slp", "512", "bitonic and odd-even merge sort of pairs, a branch per comparator",
             sortingnetworks::run},
    Workload{"stencil3d", "slp", "16x16", "3-D acoustic wave of eighth order, halo loads under ty < 4 and tx < 4",
             stencil3d::run},
    Workload{"storegpu", "tbc", "128", "MD5 and SHA-1 of a chunk per thread, staged in shared memory", storegpu::run},
    Workload{"streamcluster", "tbc", "512", "distance of all points to a candidate centre and the gain of opening it",
             streamcluster::run},
    Workload{"tpacf", "capri", "256", "angular correlation histograms with a binary search per pair", tpacf::run},
    Workload{"treebuild", "", "128", "quadtree over bodies, a lock per child of a cell, all threads begin at the root",
             treebuild::run, Kind::Waits},
    Workload{"unstructured", "", "128", "short circuits, errors out of nested loops, early exits, shared tails: goto",
             unstructured::run, Kind::Beyond},
    Workload{"viterbi", "lwm", "256",
             "decoding of a convolutional code with 64 states, one thread per frame traces back", viterbi::run},
    Workload{"workqueue", "", "64", "a queue inside a warp: lanes wait for what other lanes put in and take out",
             workqueue::run, Kind::Waits},
    Workload{"wp", "tbc", "8x8", "weather microphysics by columns: falling rain and snow, many rare branches", wp::run},
};

}  // namespace

std::span<const Workload> all() { return kWorkloads; }

const Workload& find(std::string_view name) {
  auto found = std::ranges::find(kWorkloads, name, &Workload::name);
  if (found != kWorkloads.end()) return *found;
  std::vector<std::string_view> names;
  for (const Workload& workload : kWorkloads) names.push_back(workload.name);
  const std::string advice = did_you_mean(name, names);
  throw Error(ExitCode::Usage, "no workload is called '" + std::string(name) + "'" +
                                   (advice.empty() ? "; there are " + joined(names) : advice));
}

Size size_named(std::string_view name) {
  if (name == "tiny") return Size::Tiny;
  if (name == "small") return Size::Small;
  if (name == "paper") return Size::Paper;
  throw Error(ExitCode::Usage, "no size is called '" + std::string(name) + "'; the sizes are tiny, small and paper");
}

}  // namespace heddle::workloads

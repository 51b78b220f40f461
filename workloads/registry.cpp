// The table of workloads. run_NAME() lives in NAME/workload.cpp.
#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "workloads/workload.h"

namespace heddle::workloads {

Check run_aes(Device&, Size);
Check run_aossort(Device&, Size);
Check run_backprop(Device&, Size);
Check run_bfs(Device&, Size);
Check run_binomial(Device&, Size);
Check run_bitonic(Device&, Size);
Check run_blackjack(Device&, Size);
Check run_blackscholes(Device&, Size);
Check run_bucketsort(Device&, Size);
Check run_cfd(Device&, Size);
Check run_convsep(Device&, Size);
Check run_cp(Device&, Size);
Check run_decrypt(Device&, Size);
Check run_dg(Device&, Size);
Check run_dwthaar(Device&, Size);
Check run_dxtc(Device&, Size);
Check run_eigenvalues(Device&, Size);
Check run_facedetect(Device&, Size);
Check run_fdtd3d(Device&, Size);
Check run_fft(Device&, Size);
Check run_heartwall(Device&, Size);
Check run_histogram(Device&, Size);
Check run_hotspot(Device&, Size);
Check run_indirect(Device&, Size);
Check run_kmeans(Device&, Size);
Check run_leukocyte(Device&, Size);
Check run_libor(Device&, Size);
Check run_lps(Device&, Size);
Check run_mandelbrot(Device&, Size);
Check run_matmul(Device&, Size);
Check run_mergesort(Device&, Size);
Check run_mum(Device&, Size);
Check run_mumpp(Device&, Size);
Check run_namd(Device&, Size);
Check run_needleman(Device&, Size);
Check run_nn(Device&, Size);
Check run_nvrt(Device&, Size);
Check run_particlefilter(Device&, Size);
Check run_quasirandom(Device&, Size);
Check run_ray(Device&, Size);
Check run_recursion(Device&, Size);
Check run_reduction0(Device&, Size);
Check run_sobel(Device&, Size);
Check run_sortingnetworks(Device&, Size);
Check run_stencil3d(Device&, Size);
Check run_storegpu(Device&, Size);
Check run_streamcluster(Device&, Size);
Check run_tpacf(Device&, Size);
Check run_viterbi(Device&, Size);
Check run_wp(Device&, Size);

namespace {

constexpr std::array kWorkloads = {
    Workload{"aes", "tbc", "256", "AES-128 encryption, tables in shared memory", run_aes},
    Workload{"aossort", "slp", "128", "sorting an array of structures by key in odd and even phases", run_aossort},
    Workload{"backprop", "tbc capri slp", "16x16", "neural layer: tx==0 loads, tree reduction, weight update",
             run_backprop},
    Workload{"bfs", "tbc capri slp lwm", "256/512",
             "level-synchronous breadth-first search on a random and a power-law graph", run_bfs},
    Workload{"binomial", "slp", "128", "binomial option pricing, the active range shrinks step by step", run_binomial},
    Workload{"bitonic", "slp", "256", "bitonic sort in shared memory, ixj > tid, (tid & k) == 0", run_bitonic},
    Workload{"blackjack", "lwm", "256", "Monte Carlo of the card game to the house edge", run_blackjack},
    Workload{"blackscholes", "lwm", "128", "option pricing with transcendental functions, grid-stride loop",
             run_blackscholes},
    Workload{"bucketsort", "lwm", "256", "parallel bucket sort: count, prefix sum, move, one thread sorts a bucket",
             run_bucketsort},
    Workload{"cfd", "capri", "192", "Euler flow over an unstructured mesh, fluxes over four faces with boundary cases",
             run_cfd},
    Workload{"convsep", "slp", "16x4/16x8", "separable convolution with apron loads", run_convsep},
    Workload{"cp", "tbc", "16x8", "Coulomb potential of point charges on a plane of a grid", run_cp},
    Workload{"decrypt", "lwm", "256", "AES-128 decryption, one thread per cipher block", run_decrypt},
    Workload{"dg", "tbc", "84/112/256", "Maxwell's equations by a discontinuous Galerkin method, odd block sizes",
             run_dg},
    Workload{"dwthaar", "slp", "256", "Haar wavelet levels in shared memory, the active half shrinks", run_dwthaar},
    Workload{"dxtc", "slp", "64", "DXT1 texture compression: search over all cuts of a tile, then a reduction",
             run_dxtc},
    Workload{"eigenvalues", "slp", "256", "bisection on tridiagonal matrices, a thread per interval, intervals die off",
             run_eigenvalues},
    Workload{"facedetect", "tbc", "32x6", "cascade of threshold tests over image windows, most windows leave early",
             run_facedetect},
    Workload{"fdtd3d", "slp", "32x16", "3-D finite differences, rim of radius 4 under conditions on the thread index",
             run_fdtd3d},
    Workload{"fft", "capri stackless", "64", "radix-2 Fourier transforms in shared memory, inlined and with real calls",
             run_fft},
    Workload{"heartwall", "tbc", "512",
             "template matching on ultrasound frames, a long kernel with many guarded phases", run_heartwall},
    Workload{"histogram", "lwm", "256", "256-bin histogram, atomics on shared memory", run_histogram},
    Workload{"hotspot", "tbc lwm", "16x16", "2-D temperature stencil, rings of halo threads drop out step by step",
             run_hotspot},
    Workload{"indirect", "stackless", "64", "bytecode interpreter: jump table and function-pointer table",
             run_indirect},
    Workload{"kmeans", "lwm", "256", "clustering, points that change their cluster update its sums", run_kmeans},
    Workload{"leukocyte", "tbc", "175", "cell detection, dilation, gradient vector flow; five and a half warps a block",
             run_leukocyte},
    Workload{"libor", "tbc capri", "64", "LIBOR market model by Monte Carlo: value of a path and its gradient",
             run_libor},
    Workload{"lps", "tbc capri slp", "32x4", "3-D Laplace, border threads idle, loop over planes", run_lps},
    Workload{"mandelbrot", "slp", "32x8", "escape time per pixel with a persistent tile loop", run_mandelbrot},
    Workload{"matmul", "lwm", "16x16", "tiled matrix product", run_matmul},
    Workload{"mergesort", "tbc", "128/256", "bucket split, then merge sort with a thread per pair of runs",
             run_mergesort},
    Workload{"mum", "tbc capri slp", "256", "suffix-tree matching of many reads, one thread per read, early mismatch",
             run_mum},
    Workload{"mumpp", "tbc capri", "192", "the matching of mum on a flattened, two-table layout", run_mumpp},
    Workload{"namd", "tbc", "64", "pairwise forces with a cut-off, list of neighbouring patches per block", run_namd},
    Workload{"needleman", "lwm", "16/32", "Needleman-Wunsch wavefront in tiles, one launch per diagonal of tiles",
             run_needleman},
    Workload{"nn", "tbc", "16", "neural net that reads digits, blocks of half a warp", run_nn},
    Workload{"nvrt", "tbc", "32x6", "ray tracing with persistent threads and a BVH walk, relies on warp synchrony",
             run_nvrt},
    Workload{"particlefilter", "capri", "128", "particle filter: weights, cumulative sum, resampling by a search",
             run_particlefilter},
    Workload{"quasirandom", "capri slp", "128x3",
             "Sobol's quasirandom points and the inverse of the normal distribution", run_quasirandom},
    Workload{"ray", "tbc capri", "16x8", "Whitted ray tracer: a few spheres over a plane, shadows, reflections",
             run_ray},
    Workload{"recursion", "stackless", "64", "quicksort per thread by real device recursion", run_recursion},
    Workload{"reduction0", "slp lwm", "256", "interleaved-address reduction, tid % (2*s) == 0", run_reduction0},
    Workload{"sobel", "slp", "16x4", "Sobel filter with border handling, a branch per pixel on its brightness",
             run_sobel},
    Workload{"sortingnetworks", "slp", "512", "bitonic and odd-even merge sort of pairs, a branch per comparator",
             run_sortingnetworks},
    Workload{"stencil3d", "slp", "16x16", "3-D acoustic wave of eighth order, halo loads under ty < 4 and tx < 4",
             run_stencil3d},
    Workload{"storegpu", "tbc", "128", "MD5 and SHA-1 of a chunk per thread, staged in shared memory", run_storegpu},
    Workload{"streamcluster", "tbc", "512", "distance of all points to a candidate centre and the gain of opening it",
             run_streamcluster},
    Workload{"tpacf", "capri", "256", "angular correlation histograms with a binary search per pair", run_tpacf},
    Workload{"viterbi", "lwm", "256",
             "decoding of a convolutional code with 64 states, one thread per frame traces back", run_viterbi},
    Workload{"wp", "tbc", "8x8", "weather microphysics by columns: falling rain and snow, many rare branches", run_wp},
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

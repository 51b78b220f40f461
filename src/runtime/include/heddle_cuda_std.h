// <cuda/std/…>: the host's own library, as far as clang takes it in kernels: what is constexpr there, <cmath> and
// <complex>.
#pragma once

namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda

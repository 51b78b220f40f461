#include <cmath>
#include <complex>
#include <numbers>

#include "workloads/support.h"

namespace heddle::workloads::fft {

namespace {

constexpr uint32_t kThreads = 64, kPoints = 128;

std::vector<float> random_signals(uint32_t count) {
  Random random(1);
  std::vector<float> signals(2 * count);  // real and imaginary parts in turn
  for (float& value : signals) value = random.between(-1.0f, 1.0f);
  return signals;
}

// By the definition: no fast transform, no common errors.
std::vector<double> transforms_on_cpu(const std::vector<float>& signals) {
  std::vector<std::complex<double>> roots;
  for (uint32_t i = 0; i < kPoints; ++i) roots.push_back(std::polar(1.0, -2 * std::numbers::pi * i / kPoints));
  std::vector<double> spectra;
  for (size_t first = 0; first < signals.size(); first += 2 * kPoints)
    for (size_t frequency = 0; frequency < kPoints; ++frequency) {
      double re = 0, im = 0;
      for (size_t i = 0; i < kPoints; ++i) {
        const double x = signals[first + 2 * i], y = signals[first + 2 * i + 1];
        const std::complex<double>& root = roots[i * frequency % kPoints];
        re += x * root.real() - y * root.imag();
        im += x * root.imag() + y * root.real();
      }
      spectra.push_back(re);
      spectra.push_back(im);
    }
  return spectra;
}

// The error as a vector grows in each of seven passes by some six roundings of 2^-24: two of the factor, three
// of the product, one of the sum. They are relative to the length of the spectrum, which is sqrt(128) times that
// of the signal, so at most sqrt(128) sqrt(128 * 2) < 182; no component errs by more than the vector.
constexpr Tolerance kSpectrum{.absolute = 7 * 6 * 182 * 0x1p-24};

}  // namespace

// The second build comes last, so that a mechanism that knows no calls gets as far as it can.
Check run(Device& device, Size size) {
  const uint32_t transforms = by_size(size, 6u, 200u, 2000u);
  const std::vector<float> signals = random_signals(transforms * kPoints);
  const std::vector<double> expected = transforms_on_cpu(signals);
  const Buffer<float> in(device, signals, "signals"), out(device, signals.size(), "spectra");
  const LaunchShape launch{.grid = {transforms}, .block = {kThreads}};

  device.launch("fft_inlined", launch, Arguments(in.address(), out.address()));
  const Check inlined = compare("spectra", expected, out.download(), kSpectrum);
  device.launch("fft_with_calls", launch, Arguments(in.address(), out.address()));
  return all_of({inlined, compare("spectra with calls", expected, out.download(), kSpectrum)});
}

}  // namespace heddle::workloads::fft

// LIBOR market model by Monte Carlo (Brace, Gatarek, Musiela 1997; gradient by adjoints after Giles and
// Glasserman 2006): a path moves a curve of forward rates through time, then a portfolio of swaptions is
// valued on it. One thread has one path at a time and strides over the paths. Every path does the same
// number of steps: the only branches on data ask whether a swaption is exercised.

constexpr int kRates = 40, kSteps = 20, kOptions = 12;
constexpr int kLater = kRates - kSteps;  // rates that are still open when the swaptions expire

struct Swaption {
  int length;  // periods
  float strike;
};

__constant__ float volatility[kRates];  // by periods until the rate fixes
__constant__ Swaption swaptions[kOptions];
__constant__ float period;

// One step of every rate that has not fixed yet; the drift of a rate sums over those before it.
static __device__ void move_rates(float* rates, int step, float normal) {
  const float shock = sqrtf(period) * normal;
  float drift = 0.0f;
#pragma unroll 1
  for (int i = step + 1; i < kRates; ++i) {
    const float sigma = volatility[i - step - 1];
    const float scaled = period * sigma;
    drift += __fdividef(scaled * rates[i], fmaf(period, rates[i], 1.0f));
    rates[i] *= __expf(fmaf(scaled, drift, sigma * fmaf(-0.5f, scaled, shock)));
  }
}

// Bond prices and annuities behind the expiry, then the payoff of each swaption in the money.
struct Curve {
  float bond[kLater], annuity[kLater];
};

static __device__ void discount(const float* rates, Curve& curve) {
  float bond = 1.0f, annuity = 0.0f;
#pragma unroll 1
  for (int i = 0; i < kLater; ++i) {
    bond = __fdividef(bond, fmaf(period, rates[kSteps + i], 1.0f));
    annuity = fmaf(period, bond, annuity);
    curve.bond[i] = bond;
    curve.annuity[i] = annuity;
  }
}

static __device__ float swap_value(const Curve& curve, const Swaption& swaption) {
  return fmaf(swaption.strike, curve.annuity[swaption.length - 1], curve.bond[swaption.length - 1]) - 1.0f;
}

static __device__ float portfolio(const float* rates, const Curve& curve) {
  float value = 0.0f;
#pragma unroll 1
  for (int option = 0; option < kOptions; ++option) {
    const float swap = swap_value(curve, swaptions[option]);
    if (swap < 0.0f) value = fmaf(-100.0f, swap, value);
  }
#pragma unroll 1
  for (int i = 0; i < kSteps; ++i) value = __fdividef(value, fmaf(period, rates[i], 1.0f));
  return value;
}

// Derivative of the portfolio's value by every rate at expiry, walking its own computation backwards.
static __device__ void portfolio_adjoint(const float* rates, const Curve& curve, float value, float* adjoint) {
  float by_bond[kLater], by_annuity[kLater];
  for (int i = 0; i < kLater; ++i) by_bond[i] = by_annuity[i] = 0.0f;
  float outer = 1.0f;
#pragma unroll 1
  for (int i = 0; i < kSteps; ++i) {
    const float growth = fmaf(period, rates[i], 1.0f);
    outer = __fdividef(outer, growth);
    adjoint[i] = __fdividef(-period * value, growth);
  }
#pragma unroll 1
  for (int option = 0; option < kOptions; ++option) {
    const int last = swaptions[option].length - 1;
    if (swap_value(curve, swaptions[option]) < 0.0f) {
      by_bond[last] += -100.0f * outer;
      by_annuity[last] += -100.0f * outer * swaptions[option].strike;
    }
  }
  float bond = 0.0f, annuity = 0.0f;
#pragma unroll 1
  for (int i = kLater - 1; i >= 0; --i) {
    const float growth = fmaf(period, rates[kSteps + i], 1.0f);
    annuity += by_annuity[i];
    bond += fmaf(period, annuity, by_bond[i]);
    bond = __fdividef(bond, growth);
    adjoint[kSteps + i] = -period * bond * curve.bond[i];
  }
}

// Turns derivatives by the rates after a step into derivatives by the rates before it.
static __device__ void move_adjoint(const float* before, const float* after, int step, float* adjoint) {
  float by_drift = 0.0f;
#pragma unroll 1
  for (int i = kRates - 1; i > step; --i) {
    const float scaled = period * volatility[i - step - 1];
    const float growth = fmaf(period, before[i], 1.0f);
    const float moved = adjoint[i] * after[i];
    by_drift = fmaf(scaled, moved, by_drift);
    adjoint[i] = __fdividef(moved, before[i]) + __fdividef(scaled * by_drift, growth * growth);
  }
}

extern "C" __global__ void value_paths(const float* initial, const float* normals, float* values, int paths) {
  const int threads = gridDim.x * blockDim.x;
  for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += threads) {
    float rates[kRates];
    Curve curve;
    for (int i = 0; i < kRates; ++i) rates[i] = initial[i];
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) move_rates(rates, step, normals[step * paths + path]);
    discount(rates, curve);
    values[path] = portfolio(rates, curve);
  }
}

// The way back needs the rates of every step, which only local memory can hold.
extern "C" __global__ void value_and_gradient(const float* initial, const float* normals, float* values,
                                              float* gradients, int paths) {
  const int threads = gridDim.x * blockDim.x;
  for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += threads) {
    float history[kSteps + 1][kRates], adjoint[kRates];
    Curve curve;
    for (int i = 0; i < kRates; ++i) history[0][i] = initial[i];
#pragma unroll 1
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll 1
      for (int i = 0; i < kRates; ++i) history[step + 1][i] = history[step][i];
      move_rates(history[step + 1], step, normals[step * paths + path]);
    }
    discount(history[kSteps], curve);
    values[path] = portfolio(history[kSteps], curve);
    portfolio_adjoint(history[kSteps], curve, values[path], adjoint);
#pragma unroll 1
    for (int step = kSteps - 1; step >= 0; --step) move_adjoint(history[step], history[step + 1], step, adjoint);
    for (int i = 0; i < kRates; ++i) gradients[i * paths + path] = adjoint[i];
  }
}

// Prices of European call and put options by the Black-Scholes formula. Every thread prices several options,
// a whole grid apart.

// Cumulative normal distribution by the five-term polynomial of Abramowitz and Stegun, 26.2.17.
static __device__ float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float above = 0.39894228040143f * expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - above : above;
}

extern "C" __global__ void black_scholes(const float* price, const float* strike, const float* years,
                                         float* call, float* put, float rate, float volatility, int options) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += stride) {
    const float s = price[i], x = strike[i], t = years[i];
    const float spread = volatility * sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
    const float d2 = d1 - spread;
    const float below1 = normal_below(d1), below2 = normal_below(d2);
    const float discounted = x * expf(-rate * t);
    call[i] = s * below1 - discounted * below2;
    put[i] = discounted * (1.0f - below2) - s * (1.0f - below1);
  }
}

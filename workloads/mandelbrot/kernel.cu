// Escape time per pixel. The blocks stay: each takes tile after tile of 16x16 pixels from a global counter
// until none is left. The number of the tile passes from one thread to the others through shared memory.

struct View {
  float left, top, step;
  int tiles_x, tiles, limit;
};

// Steps until |z| > 2, at most `limit`. Every rounding is named: fmaf, or one operation that nothing can be
// contracted with. So the steps come out the same wherever this is computed.
static __device__ int escape_time(float cr, float ci, int limit) {
  float zr = 0.0f, zi = 0.0f;
  int steps = 0;
  while (steps < limit) {
    const float zi_squared = zi * zi;
    if (fmaf(zr, zr, zi_squared) > 4.0f) break;
    const float next_zr = fmaf(zr, zr, -zi_squared) + cr;
    zi = fmaf(zr + zr, zi, ci);
    zr = next_zr;
    ++steps;
  }
  return steps;
}

extern "C" __global__ void mandelbrot(int* steps, int* next_tile, View view) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0 && threadIdx.y == 0) tile = atomicAdd(next_tile, 1);
    __syncthreads();
    if (tile >= view.tiles) return;
    const int x = tile % view.tiles_x * 16 + threadIdx.x;
    const int y = tile / view.tiles_x * 16 + threadIdx.y;
    const float cr = fmaf(view.step, (float)x, view.left);
    const float ci = fmaf(-view.step, (float)y, view.top);
    steps[y * (view.tiles_x * 16) + x] = escape_time(cr, ci, view.limit);
    __syncthreads();  // nobody reads `tile` any more
  }
}

// A quadtree over bodies in the plane, as for Barnes and Hut's method: a thread brings its body down from the root until
// it finds a free child, or one with a body in it, which takes as many new cells as part the two. Who changes a child
// locks it first; who finds it locked asks again.

static constexpr unsigned kLocked = 0xffffffffu, kBody = 0x80000000u;  // else a cell's number; 0: nothing there

static __device__ __forceinline__ unsigned quadrant(uint2 place, unsigned level) {
  return (place.x >> level & 1) | (place.y >> level & 1) << 1;
}

// A cell and what is below it, in which two bodies are apart. Nobody else sees it yet.
static __device__ unsigned part(volatile unsigned* children, unsigned* cells, const uint2* places, unsigned a, unsigned b,
                                unsigned level) {
  const unsigned top = atomicAdd(cells, 1u);
  unsigned cell = top;
  while (quadrant(places[a], level) == quadrant(places[b], level)) {
    const unsigned below = atomicAdd(cells, 1u);
    children[cell * 4 + quadrant(places[a], level)] = below;
    cell = below;
    --level;
  }
  children[cell * 4 + quadrant(places[a], level)] = kBody | a;
  children[cell * 4 + quadrant(places[b], level)] = kBody | b;
  return top;
}

extern "C" __global__ void insert_bodies(const uint2* places, unsigned* children, unsigned* cells, unsigned count,
                                         unsigned levels) {
  const unsigned body = blockIdx.x * blockDim.x + threadIdx.x;
  if (body >= count) return;
  volatile unsigned* const seen = children;
  const uint2 place = places[body];
  unsigned cell = 0, level = levels - 1;
  for (;;) {
    const unsigned slot = cell * 4 + quadrant(place, level), child = seen[slot];
    if (child != 0 && child < kBody) {
      cell = child;
      --level;
    } else if (child != kLocked && atomicCAS(children + slot, child, kLocked) == child) {
      const unsigned now = child == 0 ? kBody | body : part(seen, cells, places, child & ~kBody, body, level - 1);
      __threadfence();
      seen[slot] = now;
      return;
    }
  }
}

// Closest hit of many rays with a bounding volume hierarchy over triangles, by persistent threads in the
// manner of 2009 (Aila, Laine: Understanding the Efficiency of Ray Traversal on GPUs): the launch only fills
// the machine; each warp fetches a batch of rays from a global counter and hands them out to its lanes from
// shared memory.
//
// The program leans on warp synchrony and there is no __syncwarp on purpose: lane 0 refills the pool and the
// other lanes read it in the next instruction, and lane 0 takes from it only after all have read. That is
// right where the lanes of a warp reconverge and move in lockstep, and nowhere else.
//
// Every rounding is named (fmaf, or one operation that nothing can be contracted with), so that hits come out
// the same wherever this is computed.

constexpr int kWarps = 6, kLanes = 32, kBatch = 2 * kLanes, kStack = 24;

struct Vector {
  float x, y, z;
};

// Inner node: children at first and first + 1, split along axis -count. Leaf: count triangles from first on.
struct alignas(16) Node {
  Vector low;
  int first;
  Vector high;
  int count;
};

struct Triangle {
  Vector corner, edge1, edge2;
};

struct Ray {
  Vector origin, direction;
};

struct Hit {
  int triangle;    // -1: none
  float distance;  // in lengths of the direction
};

static __device__ float dot(Vector a, Vector b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }

static __device__ Vector cross(Vector a, Vector b) {
  return {fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)), fmaf(a.x, b.y, -(a.y * b.x))};
}

static __device__ Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

static __device__ bool meets_box(const Node& node, Vector origin, Vector inverse, float nearest) {
  const float x0 = (node.low.x - origin.x) * inverse.x, x1 = (node.high.x - origin.x) * inverse.x;
  const float y0 = (node.low.y - origin.y) * inverse.y, y1 = (node.high.y - origin.y) * inverse.y;
  const float z0 = (node.low.z - origin.z) * inverse.z, z1 = (node.high.z - origin.z) * inverse.z;
  const float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
  const float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), nearest));
  return enter <= leave;
}

// Moller and Trumbore's test. Of triangles at the same distance the lowest number wins, so that the answer
// does not depend on the order of the walk.
static __device__ void meet_triangle(const Triangle& triangle, int number, const Ray& ray, Hit& hit) {
  const Vector p = cross(ray.direction, triangle.edge2);
  const float determinant = dot(triangle.edge1, p);
  if (fabsf(determinant) < 1e-6f) return;
  const float inverse = 1.0f / determinant;
  const Vector s = minus(ray.origin, triangle.corner);
  const float u = dot(s, p) * inverse;
  if (u < 0.0f || u > 1.0f) return;
  const Vector q = cross(s, triangle.edge1);
  const float v = dot(ray.direction, q) * inverse;
  if (v < 0.0f || u + v > 1.0f) return;
  const float distance = dot(triangle.edge2, q) * inverse;
  if (distance <= 0.0f || distance > hit.distance) return;
  if (distance == hit.distance && number > hit.triangle) return;
  hit.triangle = number;
  hit.distance = distance;
}

static __device__ Hit closest_hit(const Node* nodes, const Triangle* triangles, const Ray& ray) {
  const Vector inverse = {1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z};
  Hit hit = {-1, 1e30f};
  int stack[kStack];  // indexed by a variable: lives in local memory
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node node = nodes[stack[--depth]];
    if (!meets_box(node, ray.origin, inverse, hit.distance)) continue;
    if (node.count > 0) {
      for (int i = 0; i < node.count; ++i) meet_triangle(triangles[node.first + i], node.first + i, ray, hit);
    } else {
      const float along =
          node.count == 0 ? ray.direction.x : node.count == -1 ? ray.direction.y : ray.direction.z;
      const int second_is_near = along < 0.0f;
      stack[depth++] = node.first + 1 - second_is_near;
      stack[depth++] = node.first + second_is_near;
    }
  }
  return hit;
}

extern "C" __global__ void trace_rays(const Node* nodes, const Triangle* triangles, const Ray* rays,
                                      Hit* hits, int ray_count, int* next_batch) {
  __shared__ volatile int pool_next[kWarps];
  __shared__ volatile int pool_left[kWarps];
  const int lane = threadIdx.x, warp = threadIdx.y;
  if (lane == 0) pool_left[warp] = 0;
  for (;;) {
    if (lane == 0 && pool_left[warp] == 0) {
      pool_next[warp] = atomicAdd(next_batch, kBatch);
      pool_left[warp] = kBatch;
    }
    const int index = pool_next[warp] + lane;
    if (lane == 0) {
      pool_next[warp] += kLanes;
      pool_left[warp] -= kLanes;
    }
    if (index >= ray_count) return;
    hits[index] = closest_hit(nodes, triangles, rays[index]);
  }
}

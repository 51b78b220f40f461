// Rays through a bounding volume hierarchy over triangles, by persistent threads in the manner of 2009 (Aila, Laine:
// Understanding the Efficiency of Ray Traversal on GPUs): the launch only fills the machine, and each warp fetches 32
// rays at a time from a global counter. The walk is "while-while": inner nodes until a leaf is found, then the
// triangles of leaves until the next inner node.
//
// The program leans on warp synchrony and there is no __syncwarp on purpose: lane 0 fetches for all, and the other
// lanes read what it fetched in the next instruction. That is right where the lanes of a warp reconverge and move in
// lockstep, and nowhere else.
//
// Every rounding is named (fmaf, or one operation that nothing can be contracted with), so that hits come out
// the same wherever this is computed.

constexpr int kWarps = 6, kLanes = 32, kStack = 64;
constexpr int kDone = -0x7fffffff - 1;  // below the hierarchy: no node and no leaf
constexpr float kMissed = 2e30f;        // farther than any ray goes

struct Vector {
  float x, y, z;
};

struct Bounds {
  Vector low, high;
};

// Of both children, the box and what is inside: a node, or where negative ~ the first triangle of a leaf.
struct alignas(16) Node {
  Bounds boxes[2];
  int children[2];
};

struct alignas(16) Triangle {
  Vector corner;
  int is_last;  // of its leaf
  Vector edge1, edge2;
};

struct alignas(16) Ray {
  Vector origin;
  float farthest;  // in lengths of the direction, as all distances
  Vector direction;
};

struct Hit {
  int triangle;  // -1: none
  float distance;
};

static __device__ float dot(Vector a, Vector b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }

static __device__ Vector cross(Vector a, Vector b) {
  return {fmaf(a.y, b.z, -(a.z * b.y)), fmaf(a.z, b.x, -(a.x * b.z)), fmaf(a.x, b.y, -(a.y * b.x))};
}

static __device__ Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

// Where the ray enters the box, or kMissed.
static __device__ float entry(const Bounds& box, Vector origin, Vector inverse, float farthest) {
  const float x0 = (box.low.x - origin.x) * inverse.x, x1 = (box.high.x - origin.x) * inverse.x;
  const float y0 = (box.low.y - origin.y) * inverse.y, y1 = (box.high.y - origin.y) * inverse.y;
  const float z0 = (box.low.z - origin.z) * inverse.z, z1 = (box.high.z - origin.z) * inverse.z;
  const float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
  const float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), farthest));
  return enter <= leave ? enter : kMissed;
}

// The next ray of this lane: lane 0 fetches for all.
static __device__ int fetch_ray(volatile int* first_ray, int* next_ray) {
  if (__builtin_expect(threadIdx.x == 0, 1)) *first_ray = atomicAdd(next_ray, kLanes);
  return *first_ray + threadIdx.x;
}

extern "C" __global__ void trace_rays(const Node* nodes, const Triangle* triangles, const Ray* rays, Hit* hits,
                                      int ray_count, int any_hit, int* next_ray) {
  __shared__ volatile int first_ray[kWarps];
  int stack[kStack];  // indexed by a variable: lives in local memory
  stack[0] = kDone;
  const int warp = threadIdx.y;
  int index = fetch_ray(&first_ray[warp], next_ray);
  while (index < ray_count) {
    const Ray ray = rays[index];
    const Vector inverse = {1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z};
    Hit hit = {-1, ray.farthest};
    int node = 0, depth = 0;

    while (node != kDone) {
      while (node >= 0) {
        const Node& here = nodes[node];
        const float enter0 = entry(here.boxes[0], ray.origin, inverse, hit.distance);
        const float enter1 = entry(here.boxes[1], ray.origin, inverse, hit.distance);
        const bool meets0 = enter0 < kMissed, meets1 = enter1 < kMissed;
        if (!meets0 && !meets1) {
          node = stack[depth--];
        } else {
          const int nearer = meets0 && enter0 <= enter1 ? 0 : 1;
          node = here.children[nearer];
          if (meets0 && meets1) stack[++depth] = here.children[1 - nearer];
        }
      }
      while (node < 0 && node != kDone) {
        // Moller and Trumbore's test. Of triangles at the same distance the lowest number wins, so that the closest
        // hit does not depend on the order of the walk.
        for (int i = ~node;; ++i) {
          const Triangle& triangle = triangles[i];
          const Vector p = cross(ray.direction, triangle.edge2);
          const float determinant = dot(triangle.edge1, p);
          const float scale = 1.0f / determinant;
          const Vector s = minus(ray.origin, triangle.corner);
          const float u = dot(s, p) * scale;
          if (fabsf(determinant) > 1e-9f && u >= 0.0f && u <= 1.0f) {
            const Vector q = cross(s, triangle.edge1);
            const float v = dot(ray.direction, q) * scale;
            if (v >= 0.0f && u + v <= 1.0f) {
              const float distance = dot(triangle.edge2, q) * scale;
              if (distance > 0.0f && (distance < hit.distance || (distance == hit.distance && i < hit.triangle))) {
                hit = {i, distance};
                if (any_hit) {
                  depth = 0;  // nothing is left to do for this ray
                  break;
                }
              }
            }
          }
          if (triangle.is_last) break;
        }
        node = stack[depth--];
      }
    }
    hits[index] = hit;
    index = fetch_ray(&first_ray[warp], next_ray);
  }
}

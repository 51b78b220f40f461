// Whitted's ray tracer (An improved illumination model for shaded display, 1980): a thread per pixel, a few
// spheres over a chequered plane, one lamp with shadows, mirrors by a loop over bounces instead of recursion.
// Blocks are 16x8 pixels, so a warp is two rows of 16. Rays of a warp mostly meet the same things; at
// outlines, at the rims of shadows and in mirrors they part.
//
// Every rounding is named (fmaf, or one operation that nothing can be contracted with), so that colours come
// out the same wherever this is computed.

constexpr int kMostSpheres = 32;

struct Vector {
  float x, y, z;
};

struct Sphere {
  Vector centre;
  float radius;
  Vector colour;
  float mirror;  // how much of the light it reflects
};

struct View {
  int width, height, spheres, bounces;
  float pixel;  // width of a pixel, one unit before the eye
  Vector eye, lamp;
};

struct Hit {
  float distance;
  int thing;  // a sphere, kPlane or kNothing
};

constexpr int kNothing = -1, kPlane = -2;
constexpr float kNear = 1e-3f, kFar = 1e20f;

__constant__ Sphere spheres[kMostSpheres];

static __device__ float dot(Vector a, Vector b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
static __device__ Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

static __device__ Vector along(Vector from, Vector direction, float distance) {
  return {fmaf(direction.x, distance, from.x), fmaf(direction.y, distance, from.y),
          fmaf(direction.z, distance, from.z)};
}

static __device__ Vector unit(Vector a) {
  const float length = sqrtf(dot(a, a));
  return {a.x / length, a.y / length, a.z / length};
}

// Distance to the sphere along a ray of unit length, or kFar: past it, behind, or the nearer side first.
static __device__ float meet_sphere(const Sphere& sphere, Vector from, Vector direction) {
  const Vector to_centre = minus(sphere.centre, from);
  const float middle = dot(to_centre, direction);
  const float square = fmaf(middle, middle, fmaf(sphere.radius, sphere.radius, -dot(to_centre, to_centre)));
  if (square < 0.0f) return kFar;
  const float half = sqrtf(square);
  if (middle - half > kNear) return middle - half;
  if (middle + half > kNear) return middle + half;
  return kFar;
}

static __device__ Hit closest(Vector from, Vector direction, int count) {
  Hit hit = {kFar, kNothing};
  if (direction.y < -kNear) hit = {-from.y / direction.y, kPlane};
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    const float distance = meet_sphere(spheres[i], from, direction);
    if (distance < hit.distance) hit = {distance, i};
  }
  return hit;
}

// Leaves at the first sphere in the way.
static __device__ bool in_shadow(Vector from, Vector direction, float lamp_distance, int count) {
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    if (meet_sphere(spheres[i], from, direction) < lamp_distance) return true;
  return false;
}

static __device__ Vector plane_colour(Vector at) {
  const int squares = (int)floorf(at.x) + (int)floorf(at.z);
  if (squares & 1) return {0.9f, 0.9f, 0.9f};
  return {0.2f, 0.2f, 0.3f};
}

// Light that the point sends back by itself: ambient, and the lamp's if nothing is in the way, with a highlight.
static __device__ Vector shade(Vector at, Vector normal, Vector direction, Vector colour, const View& view) {
  const Vector to_lamp = minus(view.lamp, at);
  const float lamp_distance = sqrtf(dot(to_lamp, to_lamp));
  const Vector lamp = {to_lamp.x / lamp_distance, to_lamp.y / lamp_distance, to_lamp.z / lamp_distance};
  const float slope = dot(normal, lamp);
  float light = 0.1f, highlight = 0.0f;
  if (slope > 0.0f && !in_shadow(at, lamp, lamp_distance, view.spheres)) {
    light = fmaf(0.9f, slope, light);
    const float mirrored = fmaf(2.0f * slope, dot(normal, direction), -dot(lamp, direction));
    if (mirrored < 0.0f) {
      const float second = mirrored * mirrored, fourth = second * second, eighth = fourth * fourth;
      highlight = eighth * eighth;
    }
  }
  return {fmaf(colour.x, light, highlight), fmaf(colour.y, light, highlight), fmaf(colour.z, light, highlight)};
}

static __device__ Vector trace(Vector from, Vector direction, const View& view) {
  Vector colour = {0.0f, 0.0f, 0.0f};
  float weight = 1.0f;
#pragma unroll 1
  for (int bounce = 0; bounce <= view.bounces; ++bounce) {
    const Hit hit = closest(from, direction, view.spheres);
    if (hit.thing == kNothing) {
      const float height = fmaf(0.5f, direction.y, 0.5f);
      return {fmaf(weight, 0.4f * height, colour.x), fmaf(weight, 0.6f * height, colour.y),
              fmaf(weight, height, colour.z)};
    }
    const Vector at = along(from, direction, hit.distance);
    Vector normal = {0.0f, 1.0f, 0.0f}, own;
    float mirror = 0.0f;
    if (hit.thing == kPlane) {
      own = plane_colour(at);
    } else {
      normal = unit(minus(at, spheres[hit.thing].centre));
      own = spheres[hit.thing].colour;
      mirror = spheres[hit.thing].mirror;
    }
    const Vector light = shade(at, normal, direction, own, view);
    const float kept = weight * (1.0f - mirror);
    colour = {fmaf(kept, light.x, colour.x), fmaf(kept, light.y, colour.y), fmaf(kept, light.z, colour.z)};
    weight *= mirror;
    if (weight < 0.02f) break;  // nothing to see any more
    from = at;
    direction = unit(along(direction, normal, -2.0f * dot(direction, normal)));
  }
  return colour;
}

static __device__ unsigned byte(float value) { return (unsigned)(255.0f * fminf(value, 1.0f)); }

extern "C" __global__ void render(unsigned* pixels, View view) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= view.width || y >= view.height) return;
  const float right = (float)(2 * x - view.width) * view.pixel, up = (float)(view.height - 2 * y) * view.pixel;
  const Vector colour = trace(view.eye, unit({right, up, 1.0f}), view);
  pixels[y * view.width + x] = byte(colour.x) | byte(colour.y) << 8 | byte(colour.z) << 16;
}

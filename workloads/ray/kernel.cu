// Whitted's ray tracer (An improved illumination model for shaded display, 1980): a thread per pixel, a mirror of a
// floor and three mirrors of spheres, one lamp with shadows. Reflections are a loop: the light of every point that a
// ray meets goes to a stack of the thread, in local memory, and is added up from the last to the first. Blocks are 16x8
// pixels, so a warp is two rows of 16. Rays of a warp mostly meet the same things; at outlines, at the rims of shadows
// and where spheres scatter them they part.
//
// Every rounding on a ray's way is named (fmaf, or one operation that nothing can be contracted with), so that rays meet
// the same things wherever this is computed. powf is the compiler's, and only colours depend on it.

constexpr int kThings = 4, kMostHits = 5;
constexpr float kFar = 10000.0f, kStep = 0.0001f;  // a new ray begins a step away from where the last one ended

struct Vector {
  float x, y, z;
};

struct __align__(16) Light {
  float red, green, blue, opaque;
};

struct Thing {
  Vector centre;  // of a sphere, or a point of a level floor
  float radius;
  Light colour;
  unsigned floor;  // 1 or 0
};

struct View {
  Vector ahead, up, right, eye;
};

struct Ray {
  Vector from, direction;
};

__constant__ Thing things[kThings];
__constant__ View view;

static __device__ float dot(Vector a, Vector b) { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); }
static __device__ Vector minus(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

// to + factor a
static __device__ Vector plus_scaled(Vector to, float factor, Vector a) {
  return {fmaf(factor, a.x, to.x), fmaf(factor, a.y, to.y), fmaf(factor, a.z, to.z)};
}

static __device__ Vector unit(Vector a) {
  const float inverse = 1.0f / sqrtf(dot(a, a));
  return {a.x * inverse, a.y * inverse, a.z * inverse};
}

// How far it is to the sphere, or 0 if the ray misses it. From inside it is the far side.
static __device__ float meet_sphere(Ray ray, Vector centre, float radius) {
  const Vector to_centre = minus(centre, ray.from);
  const float nearest = dot(to_centre, ray.direction), away = dot(to_centre, to_centre), square = radius * radius;
  if (nearest < 0.0f && away > square) return 0.0f;
  const float aside = fmaf(-nearest, nearest, away);
  if (aside > square) return 0.0f;
  const float half = sqrtf(fmaf(radius, radius, -aside));
  if (away > square) return nearest - half;
  return nearest + half;
}

static __device__ float meet_plane(Ray ray, Vector point, Vector normal) {
  const float slope = dot(normal, ray.direction);
  if (fabsf(slope) < 0.0001f) return 0.0f;
  const float distance = -dot(normal, minus(ray.from, point)) / slope;
  if (distance > 0.0f) return distance;
  return 0.0f;
}

static __device__ float meet(Ray ray, const Thing& thing, float moved) {
  Vector centre = thing.centre;
  centre.x += moved;
  if (thing.floor) return meet_plane(ray, centre, {0.0f, 1.0f, 0.0f});
  return meet_sphere(ray, centre, thing.radius);
}

// Asks one thing after the other, until one is in the way.
static __device__ bool lamp_seen(Vector at, Vector direction, float lamp_square, float moved) {
  const Ray ray = {plus_scaled(at, kStep, direction), direction};
  float distance = 0.0f;
  for (int i = 0; i < kThings && distance == 0.0f; ++i) {
    distance = meet(ray, things[i], moved);
    if (distance > 0.0f && distance * distance > lamp_square) distance = 0.0f;
  }
  return distance == 0.0f;
}

// to + factor a
static __device__ Light plus_scaled(Light to, float factor, Light a) {
  return {fmaf(factor, a.red, to.red), fmaf(factor, a.green, to.green), fmaf(factor, a.blue, to.blue),
          fmaf(factor, a.opaque, to.opaque)};
}

// Sets what the point sends back: of the light from everywhere, and if the lamp shines on the side that is seen, of its
// light, with a highlight (Blinn's).
static __device__ void shade(Light& light, Vector at, Vector normal, Vector to_eye, Light colour, Vector lamp,
                             float moved) {
  const Vector to_lamp = minus(lamp, at), direction = unit(to_lamp);
  if (dot(to_eye, normal) < 0.0f) normal = {-normal.x, -normal.y, -normal.z};
  light = {0.05f * colour.red, 0.05f * colour.green, 0.05f * colour.blue, 0.05f * colour.opaque};
  const float slope = dot(normal, direction);
  if (slope > 0.0f && lamp_seen(at, direction, dot(to_lamp, to_lamp), moved)) {
    const Vector between = unit({direction.x + to_eye.x, direction.y + to_eye.y, direction.z + to_eye.z});
    light = plus_scaled(light, 0.3f * fminf(1.0f, slope), colour);
    const float highlight = 0.8f * powf(fmaxf(0.0f, fminf(1.0f, dot(normal, between))), 50.0f);
    light.red += highlight;
    light.green += highlight;
    light.blue += highlight;
  }
}

struct Hit {
  float distance;  // kFar if there is none
  int thing;
};

static __device__ Hit closest(Ray ray, float moved) {
  Hit hit = {kFar, 0};
  for (int i = 0; i < kThings; ++i) {
    const float distance = meet(ray, things[i], moved);
    if (distance > 0.0f && distance < hit.distance) hit = {distance, i};
  }
  return hit;
}

// Sets the light of the point that was hit, and mirrors the ray there.
static __device__ void bounce(Ray& ray, Hit hit, Light& light, Vector lamp, float moved) {
  Vector centre = things[hit.thing].centre, normal;
  centre.x += moved;
  const Vector at = plus_scaled(ray.from, hit.distance, ray.direction), to_eye = unit(minus(ray.from, at));
  if (things[hit.thing].floor) {
    normal = {0.0f, 1.0f, 0.0f};
  } else {
    normal = unit(minus(at, centre));
  }
  shade(light, at, normal, to_eye, things[hit.thing].colour, lamp, moved);
  ray.direction = unit(plus_scaled({-to_eye.x, -to_eye.y, -to_eye.z}, 2.0f * dot(normal, to_eye), normal));
  ray.from = plus_scaled(at, kStep, ray.direction);
}

static __device__ Ray ray_through(unsigned x, unsigned y, unsigned width, unsigned height, float focus) {
  const float pixel = 2.0f / (float)min(width, height);
  const float right = ((float)x - 0.5f * (float)width) * pixel, up = ((float)y - 0.5f * (float)height) * pixel;
  const Vector forward = {focus * view.ahead.x, focus * view.ahead.y, focus * view.ahead.z};
  return {view.eye, unit(plus_scaled(plus_scaled(forward, right, view.right), up, view.up))};
}

static __device__ unsigned byte(float value) { return (unsigned)(255.0f * __saturatef(value)); }

extern "C" __global__ void render(unsigned* pixels, unsigned width, unsigned height, float focus, Vector lamp,
                                  float moved) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  Light stack[kMostHits];
  for (int i = 0; i < kMostHits; ++i) stack[i] = {0.0f, 0.0f, 0.0f, 1.0f};
  if (x >= width || y >= height) return;
  pixels[y * width + x] = 0;
  Ray ray = ray_through(x, y, width, height, focus);
  __syncthreads();  // nothing is shared, but in the papers' program too the warps of a block begin together
  int hits = 0;
  for (int i = 0; i < kMostHits && hits == i; ++i) {
    const Hit hit = closest(ray, moved);
    if (hit.distance < kFar) {
      ++hits;
      bounce(ray, hit, stack[i], lamp, moved);
    }
  }
  for (int i = hits - 1; i > 0; --i) stack[i - 1] = plus_scaled(stack[i - 1], 0.8f, stack[i]);
  const Light light = stack[0];
  pixels[y * width + x] +=
      byte(light.red) | byte(light.green) << 8 | byte(light.blue) << 16 | byte(light.opaque) << 24;
}

#include <string>

#include "workloads/nvrt/scene.h"

namespace heddle::workloads::nvrt {

namespace {

constexpr uint32_t kLanes = 32, kWarps = 6;

enum class Wanted : int32_t { Closest, Any };

class Tracer {
 public:
  Tracer(Device& device, const Scene& scene, uint32_t blocks)
      : device_(device),
        blocks_(blocks),
        nodes_(device, scene.nodes, "nodes"),
        triangles_(device, scene.triangles, "triangles") {}

  std::vector<Hit> trace(const std::vector<Ray>& rays, Wanted wanted) {
    Buffer<Ray> device_rays(device_, rays, "rays");
    // No number of a triangle, so that a ray nobody traced shows.
    Buffer<Hit> hits(device_, std::vector<Hit>(rays.size(), {-2, 0}), "hits");
    Buffer<int32_t> next_ray(device_, 1, "next ray");
    device_.launch("trace_rays", {.grid = {blocks_}, .block = {kLanes, kWarps}},
                   Arguments(nodes_.address(), triangles_.address(), device_rays.address(), hits.address(),
                             static_cast<uint32_t>(rays.size()), static_cast<int32_t>(wanted), next_ray.address()));
    return hits.download();
  }

 private:
  Device& device_;
  uint32_t blocks_;
  Buffer<Node> nodes_;
  Buffer<Triangle> triangles_;
};

// What is asked of the GPU's answer for one ray. Both sides round at the same places, so the closest hit must be equal
// to the last bit. Any hit will do where any was wanted, if it is one.
Hit expected_hit(const Scene& scene, const Ray& ray, Hit got, Wanted wanted) {
  const Hit closest = closest_hit(scene, ray);
  const bool exists = got.triangle >= 0 && static_cast<size_t>(got.triangle) < scene.triangles.size();
  if (wanted == Wanted::Closest || closest.triangle < 0 || !exists) return closest;
  return meet(scene, got.triangle, ray, {-1, ray.farthest});
}

Check check(const std::string& name, const Scene& scene, const std::vector<Ray>& rays, const std::vector<Hit>& hits,
            Wanted wanted) {
  std::vector<int32_t> expected_triangles, triangles;
  std::vector<float> expected_distances, distances;
  for (size_t i = 0; i < rays.size(); ++i) {
    const Hit expected = expected_hit(scene, rays[i], hits[i], wanted);
    expected_triangles.push_back(expected.triangle);
    expected_distances.push_back(expected.distance);
    triangles.push_back(hits[i].triangle);
    distances.push_back(hits[i].distance);
  }
  return all_of({compare(name + " triangles", expected_triangles, triangles),
                 compare(name + " distances", expected_distances, distances)});
}

// The hierarchy, which the GPU and the check both use, held against trying all triangles: so many rays, far apart.
Check check_hierarchy(const Scene& scene, const std::vector<Ray>& rays, size_t count) {
  std::vector<int32_t> expected, got;
  for (size_t i = 0; i < count; ++i) {
    const Ray& ray = rays[i * rays.size() / count];
    expected.push_back(closest_of_all(scene, ray).triangle);
    got.push_back(closest_hit(scene, ray).triangle);
  }
  return compare("triangles by the hierarchy", expected, got);
}

}  // namespace

// Rays from the camera; from what they hit, rays that ask whether anything is near (ambient occlusion), and rays for
// diffuse light. A launch of persistent threads fills the machine and no more: at size paper the three blocks on
// each of 30 cores that the paper reports. Every size has at least as many batches of rays as warps.
Check run(Device& device, Size size) {
  const Scene scene = with_hierarchy(conference_room(by_size(size, 2u, 12u, 40u), by_size(size, 1u, 2u, 5u)));
  Tracer tracer(device, scene, by_size(size, 1u, 20u, 90u));
  const std::vector<Ray> camera = camera_rays(by_size(size, 24u, 88u, 280u), by_size(size, 16u, 60u, 208u));
  const std::vector<Hit> seen = tracer.trace(camera, Wanted::Closest);
  const std::vector<Ray> near = bounced_rays(scene, camera, seen, 2, 2);
  const std::vector<Ray> diffuse = bounced_rays(scene, camera, seen, 1e30f, 3);
  const std::vector<Hit> occluded = tracer.trace(near, Wanted::Any), lit = tracer.trace(diffuse, Wanted::Closest);
  return all_of({check("camera", scene, camera, seen, Wanted::Closest),
                 check("occluding", scene, near, occluded, Wanted::Any),
                 check("diffuse", scene, diffuse, lit, Wanted::Closest),
                 check_hierarchy(scene, diffuse, by_size<size_t>(size, 200, 200, 500))});
}

}  // namespace heddle::workloads::nvrt

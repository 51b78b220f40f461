#include "workloads/nvrt/scene.h"

namespace heddle::workloads::nvrt {

namespace {

constexpr uint32_t kLanes = 32, kWarps = 6;

std::vector<Hit> trace(Device& device, const Scene& scene, const std::vector<Ray>& rays, uint32_t blocks) {
  Buffer<Node> nodes(device, scene.nodes, "nodes");
  Buffer<Triangle> triangles(device, scene.triangles, "triangles");
  Buffer<Ray> device_rays(device, rays, "rays");
  // No number of a triangle, so that a ray nobody traced shows.
  Buffer<Hit> hits(device, std::vector<Hit>(rays.size(), {-2, 0}), "hits");
  Buffer<int32_t> next_batch(device, 1, "next batch");
  device.launch("trace_rays", {.grid = {blocks}, .block = {kLanes, kWarps}},
                Arguments(nodes.address(), triangles.address(), device_rays.address(), hits.address(),
                          static_cast<uint32_t>(rays.size()), next_batch.address()));
  return hits.download();
}

// Both sides round at the same places, so hits and distances must be equal to the last bit, though the CPU
// does not use the hierarchy at all.
Check check(const std::string& name, const Scene& scene, const std::vector<Ray>& rays, const std::vector<Hit>& hits) {
  std::vector<int32_t> expected_triangles, triangles;
  std::vector<float> expected_distances, distances;
  for (size_t i = 0; i < rays.size(); ++i) {
    const Hit expected = closest_hit(scene, rays[i]);
    expected_triangles.push_back(expected.triangle);
    expected_distances.push_back(expected.distance);
    triangles.push_back(hits[i].triangle);
    distances.push_back(hits[i].distance);
  }
  return all_of({compare(name + " triangles", expected_triangles, triangles),
                 compare(name + " distances", expected_distances, distances)});
}

}  // namespace

// Rays from the camera first, then rays from what they hit. A launch of persistent threads fills the machine
// and no more: two blocks on each of 30 cores, which is what their registers leave room for on machines of
// that time. Every size has at least as many batches as warps.
Check run(Device& device, Size size) {
  const Scene scene = landscape(by_size(size, 3u, 8u, 8u));
  const uint32_t blocks = by_size(size, 1u, 20u, 60u);
  const std::vector<Ray> camera = camera_rays(by_size(size, 24u, 112u, 240u), by_size(size, 16u, 80u, 160u));
  const std::vector<Hit> seen = trace(device, scene, camera, blocks);
  const std::vector<Ray> bounced = bounced_rays(camera, seen);
  const std::vector<Hit> lit = trace(device, scene, bounced, blocks);
  return all_of({check("camera", scene, camera, seen), check("bounced", scene, bounced, lit)});
}

}  // namespace heddle::workloads::nvrt

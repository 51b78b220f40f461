#include "workloads/leukocyte/video.h"

namespace heddle::workloads::leukocyte {

namespace {

constexpr float kCutoff = 1.5f;  // the sum of all changes in a box

// Points across the outline are rounded by 2^-23, and their mean by 60 * 2^-24 of their size, so deviations
// from it are off by 4e-6 times size over spread, which is the root of the score and below 10; the variance by
// twice that and the rounding of its own sum, 4e-6. A score near zero is the square of a mean near zero.
constexpr Tolerance kScores{.absolute = 1e-5, .relative = 1e-4};

struct Detection {
  std::vector<float> scores, dilated;
};

Detection detect(Device& device, const Image& image, const Gradient& gradient) {
  const Outlines around = outlines();
  const Disc element = disc(image.reach);
  device.write(device.symbol("cosines"), around.cosines.data(), sizeof around.cosines);
  device.write(device.symbol("sines"), around.sines.data(), sizeof around.sines);
  device.write(device.symbol("outlines"), around.offsets.data(), sizeof around.offsets);
  device.write(device.symbol("disc"), element.data(), sizeof element);
  const Buffer<float> gradient_x(device, gradient.x, "gradient x"), gradient_y(device, gradient.y, "gradient y");
  const Buffer<float> scores(device, image.pixels(), "scores"), dilated(device, image.pixels(), "dilated");

  const uint32_t centres = (image.width - 2 * image.margin) * (image.height - 2 * image.margin);
  device.launch("score_centres", {.grid = {ceil_div(centres, kThreads)}, .block = {kThreads}},
                Arguments(gradient_x.address(), gradient_y.address(), scores.address(), image));
  device.launch("dilate", {.grid = {ceil_div(image.width * image.height, kThreads)}, .block = {kThreads}},
                Arguments(scores.address(), dilated.address(), image));
  return {scores.download(), dilated.download()};
}

// Each cell to its own end: one block per cell, equal to the last bit.
Check track(Device& device, const Image& image, const Gradient& gradient, const std::vector<uint32_t>& centres,
            int32_t most) {
  Random random(2);
  std::vector<float> edges, expected_fields;
  std::vector<Motion> motions;
  std::vector<int32_t> expected_iterations;
  for (uint32_t centre : centres) {
    std::vector<float> field = edge_map(image, gradient, centre);
    edges.insert(edges.end(), field.begin(), field.end());
    const float x = random.between(-1.0f, 1.0f);
    motions.push_back({x, random.between(-1.0f, 1.0f)});
    expected_iterations.push_back(flow_on_cpu(field, motions.back(), kCutoff, most));
    expected_fields.insert(expected_fields.end(), field.begin(), field.end());
  }
  const Buffer<float> device_edges(device, edges, "edge maps"), fields(device, edges.size(), "fields");
  const Buffer<Motion> device_motions(device, motions, "motions");
  const Buffer<int32_t> iterations(device, centres.size(), "iterations");
  device.launch("flow", {.grid = {static_cast<uint32_t>(centres.size())}, .block = {kThreads}},
                Arguments(device_edges.address(), device_motions.address(), fields.address(), iterations.address(),
                          kCutoff, most));
  return all_of({compare("iterations", expected_iterations, iterations.download()),
                 compare("fields", expected_fields, fields.download())});
}

}  // namespace

Check run(Device& device, Size size) {
  const Image image = by_size<Image>(size, {40, 33, 14, 3}, {90, 70, 14, 8}, {180, 132, 14, 8});
  const Gradient gradient = gradient_of_frame(image, by_size(size, 2u, 8u, 36u));
  const Detection found = detect(device, image, gradient);
  const std::vector<uint32_t> centres = centres_of(found.scores, found.dilated, by_size(size, 1u, 5u, 36u));
  return all_of({compare("scores", scores_on_cpu(image, gradient), found.scores, kScores),
                 compare("dilated", dilate_on_cpu(image, found.scores), found.dilated),
                 track(device, image, gradient, centres, by_size(size, 3, 60, 60))});
}

}  // namespace heddle::workloads::leukocyte

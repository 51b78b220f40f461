#include <string>

#include "workloads/facedetect/cascade.h"

namespace heddle::workloads::facedetect {

namespace {

constexpr uint32_t kWidth = 32, kHeight = 6;  // of a block
constexpr int32_t kFirstStages = 2;
constexpr float kFlatDeviation = 8.0f * kWindow * kWindow;

struct Level {  // as in kernel.cu
  int32_t pitch, windows_x, windows_y;
};

void load_cascade(Device& device, const Cascade& cascade) {
  device.write(device.symbol("features"), cascade.features.data(), cascade.features.size() * sizeof(Feature));
  device.write(device.symbol("stages"), cascade.stages.data(), cascade.stages.size() * sizeof(Stage));
}

std::vector<uint8_t> stages_passed_on_cpu(const Cascade& cascade, const Integral& integral) {
  std::vector<uint8_t> passed;
  for (uint32_t y = 0; y < integral.windows_y(); ++y)
    for (uint32_t x = 0; x < integral.windows_x(); ++x) {
      uint8_t stage = 0;
      if (deviation_of(integral, x, y) >= kFlatDeviation)
        while (stage < cascade.stages.size() && passes(cascade, cascade.stages[stage], integral, x, y)) ++stage;
      passed.push_back(stage);
    }
  return passed;
}

// How many stages each window of one level passes: all of them where there is a face.
Check scan_level(Device& device, const std::string& name, const Cascade& cascade, const Integral& integral) {
  const Level level{static_cast<int32_t>(integral.pitch), static_cast<int32_t>(integral.windows_x()),
                    static_cast<int32_t>(integral.windows_y())};
  const size_t windows = size_t{integral.windows_x()} * integral.windows_y();
  Buffer<uint32_t> sums(device, integral.sums, name + " sums"), squares(device, integral.squares, name + " squares");
  Buffer<uint8_t> passed(device, windows, name + " stages passed");
  Buffer<int32_t> queue(device, windows, name + " queue"), queued(device, 1, name + " queued");

  device.launch("scan_windows",
                {.grid = {ceil_div(integral.windows_x(), kWidth), ceil_div(integral.windows_y(), kHeight)},
                 .block = {kWidth, kHeight}},
                Arguments(sums.address(), squares.address(), level, kFlatDeviation, kFirstStages, passed.address(),
                          queue.address(), queued.address()));
  const int32_t left = queued.download()[0];
  const auto all_stages = static_cast<int32_t>(cascade.stages.size());
  if (left > 0)
    device.launch("confirm_windows",
                  {.grid = {ceil_div(static_cast<uint32_t>(left), kWidth * kHeight)}, .block = {kWidth, kHeight}},
                  Arguments(sums.address(), squares.address(), level, kFirstStages, all_stages, passed.address(),
                            queue.address(), left));
  return compare(name + " stages passed", stages_passed_on_cpu(cascade, integral), passed.download());
}

}  // namespace

// One pair of launches per level of the pyramid. At size paper each of them fills 30 cores of five blocks (four of the
// second kernel) at least twice. No level is a multiple of the block.
Check run(Device& device, Size size) {
  const Cascade cascade = cascade_for_face(by_size(size, 7u, 14u, 14u));
  load_cascade(device, cascade);
  Image image = clouds(by_size(size, 51u, 157u, 736u), by_size(size, 33u, 121u, 552u), 1);
  draw_faces(image, by_size(size, 1u, 6u, 50u));
  Check check;
  for (uint32_t level = 0; level < by_size(size, 2u, 4u, 2u); ++level) {
    check = all_of({check, scan_level(device, "level " + std::to_string(level), cascade, Integral(image))});
    image = smaller(image);
  }
  return check;
}

}  // namespace heddle::workloads::facedetect

#include <algorithm>
#include <cmath>

#include "workloads/support.h"

namespace heddle::workloads::kmeans {

namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kFeatures = 8, kClusters = 12, kColumns = kFeatures + 1;

// Points around more places than there are clusters, so that it takes some rounds to settle. Feature-major.
std::vector<int32_t> random_points(uint32_t points) {
  Random random(1);
  constexpr uint32_t places = 20;
  std::vector<int32_t> place(size_t{places} * kFeatures);
  for (int32_t& feature : place) feature = random.between(100, 900);
  std::vector<int32_t> features(size_t{points} * kFeatures);
  for (uint32_t point = 0; point < points; ++point) {
    const uint32_t near = random.below(places);
    for (uint32_t feature = 0; feature < kFeatures; ++feature) {
      const int32_t spread = random.between(-80, 80) + random.between(-80, 80);
      features[size_t{feature} * points + point] = place[size_t{near} * kFeatures + feature] + spread;
    }
  }
  return features;
}

// What the device holds, and what the CPU computes to compare it with. Sums of whole numbers below 1100 stay
// exact, and distances and divisions round as in the kernel, so both must agree to the last bit in every round.
struct Clustering {
  std::vector<float> centres;
  std::vector<int32_t> membership, sums = std::vector<int32_t>(kClusters * kColumns);
};

// The first points are the first centres.
Clustering initial(const std::vector<int32_t>& features, uint32_t points) {
  Clustering clustering{.centres = std::vector<float>(kClusters * kFeatures),
                        .membership = std::vector<int32_t>(points, -1)};
  for (uint32_t i = 0; i < kClusters * kFeatures; ++i)
    clustering.centres[i] = static_cast<float>(features[size_t{i % kFeatures} * points + i / kFeatures]);
  return clustering;
}

int32_t nearest_cluster(const std::vector<int32_t>& features, uint32_t points, uint32_t point,
                        const std::vector<float>& centres) {
  float nearest = 3.4e38f;
  uint32_t cluster = 0;
  for (uint32_t candidate = 0; candidate < kClusters; ++candidate) {
    float sum = 0;
    for (uint32_t feature = 0; feature < kFeatures; ++feature) {
      const float difference = static_cast<float>(features[size_t{feature} * points + point]) -
                               centres[size_t{candidate} * kFeatures + feature];
      sum = std::fma(difference, difference, sum);
    }
    if (sum >= nearest) continue;
    nearest = sum;
    cluster = candidate;
  }
  return static_cast<int32_t>(cluster);
}

// One round; returns how many points changed their cluster.
int32_t round_on_cpu(const std::vector<int32_t>& features, uint32_t points, Clustering& clustering) {
  int32_t changed = 0;
  std::ranges::fill(clustering.sums, 0);
  for (uint32_t point = 0; point < points; ++point) {
    const int32_t cluster = nearest_cluster(features, points, point, clustering.centres);
    changed += cluster != clustering.membership[point];
    clustering.membership[point] = cluster;
    int32_t* sums = &clustering.sums[size_t(cluster) * kColumns];
    for (uint32_t feature = 0; feature < kFeatures; ++feature)
      sums[feature] += features[size_t{feature} * points + point];
    ++sums[kFeatures];
  }
  for (uint32_t i = 0; i < kClusters * kFeatures; ++i) {
    const int32_t* sums = &clustering.sums[size_t{i / kFeatures} * kColumns];
    if (sums[kFeatures] > 0)
      clustering.centres[i] = static_cast<float>(sums[i % kFeatures]) / static_cast<float>(sums[kFeatures]);
  }
  return changed;
}

}  // namespace

// Rounds go on until fewer than one point in a hundred changes, or there have been enough.
Check run(Device& device, Size size) {
  const uint32_t points = by_size(size, 600u, 14'900u, 64'700u);
  const int32_t most_rounds = by_size(size, 3, 6, 8);
  const std::vector<int32_t> features = random_points(points);
  Clustering expected = initial(features, points);
  Buffer<int32_t> device_features(device, features, "features"), membership(device, expected.membership, "membership");
  Buffer<int32_t> sums(device, expected.sums, "sums"), changed(device, 1, "changed");
  Buffer<float> centres(device, expected.centres, "centres");

  const LaunchShape by_point{.grid = {ceil_div(points, kThreads)}, .block = {kThreads}};
  std::vector<int32_t> changes, expected_changes;
  for (int32_t round = 0; round < most_rounds; ++round) {
    changed.upload({0});
    device.launch("assign_points", by_point,
                  Arguments(device_features.address(), centres.address(), membership.address(), sums.address(),
                            changed.address(), points));
    device.launch("move_centres", {.grid = {1}, .block = {kClusters * kFeatures}},
                  Arguments(sums.address(), centres.address()));
    changes.push_back(changed.download()[0]);
    expected_changes.push_back(round_on_cpu(features, points, expected));
    if (changes.back() < static_cast<int32_t>(points / 100)) break;
  }
  return all_of({compare("points changed per round", expected_changes, changes),
                 compare("membership", expected.membership, membership.download()),
                 compare("sums", expected.sums, sums.download()),
                 compare("centres", expected.centres, centres.download())});
}

}  // namespace heddle::workloads::kmeans

// k-means clustering, one thread per point: find the nearest centre, and if that is another cluster than
// before, move the point's features from the sums of the one to those of the other. A second, small kernel
// makes centres of the sums. Features are whole numbers, so that sums come out the same in any order.

constexpr int kThreads = 256;
constexpr int kFeatures = 8, kClusters = 12;
constexpr int kColumns = kFeatures + 1;  // of a cluster's sums: the features, then the number of points

// Feature by feature, so that neighbouring threads read neighbouring words.
static __device__ float distance(const int* features, int point, int points, const float* centre) {
  float sum = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    const float difference = (float)features[feature * points + point] - centre[feature];
    sum = fmaf(difference, difference, sum);
  }
  return sum;
}

static __device__ int nearest_cluster(const int* features, int point, int points, const float* centres) {
  float nearest = 3.4e38f;
  int cluster = 0;
#pragma unroll 1
  for (int candidate = 0; candidate < kClusters; ++candidate) {
    const float d = distance(features, point, points, centres + candidate * kFeatures);
    if (d < nearest) {
      asm volatile("");  // keeps the branch on the distance; nvcc would select
      nearest = d;
      cluster = candidate;
    }
  }
  return cluster;
}

extern "C" __global__ void assign_points(const int* features, const float* centres, int* membership, int* sums,
                                         int* changed, int points) {
  __shared__ float centres_here[kClusters * kFeatures];
  __shared__ int changes[kClusters * kColumns];  // of the sums, by this block's points
  const int thread = threadIdx.x, point = blockIdx.x * kThreads + thread;
  if (thread < kClusters * kFeatures) centres_here[thread] = centres[thread];
  if (thread < kClusters * kColumns) changes[thread] = 0;
  __syncthreads();

  if (point < points) {
    const int cluster = nearest_cluster(features, point, points, centres_here);
    const int before = membership[point];  // -1 in the first round
    if (cluster != before) {
      membership[point] = cluster;
      atomicAdd(changed, 1);
#pragma unroll 1
      for (int column = 0; column < kColumns; ++column) {
        const int value = column < kFeatures ? features[column * points + point] : 1;
        atomicAdd(&changes[cluster * kColumns + column], value);
        if (before >= 0) atomicAdd(&changes[before * kColumns + column], -value);
      }
    }
  }
  __syncthreads();
  if (thread < kClusters * kColumns && changes[thread] != 0) atomicAdd(&sums[thread], changes[thread]);
}

// One thread per cluster and feature; a cluster without points keeps its centre.
extern "C" __global__ void move_centres(const int* sums, float* centres) {
  const int i = threadIdx.x;
  if (i >= kClusters * kFeatures) return;
  const int cluster = i / kFeatures, feature = i % kFeatures;
  const int count = sums[cluster * kColumns + kFeatures];
  if (count > 0) centres[i] = (float)sums[cluster * kColumns + feature] / (float)count;
}

// Sobel's edge filter on an 8-bit image. A block of 16x4 threads takes a tile of 128x4 pixels, four to a
// thread at a time; the tile and an apron around it go to shared memory first, with the image's border
// repeated outwards.

constexpr int kThreadsX = 16, kThreadsY = 4;
constexpr int kGroups = 32;       // of four pixels, across the tile
constexpr int kGroupsHeld = 34;   // with a group of apron left and right; one pixel of each is used

struct Image {
  int width, height, pitch;  // the pitch is a multiple of 4
};

typedef unsigned char Tile[kThreadsY + 2][kGroupsHeld * 4];

static __device__ int clamped(int value, int limit) { return min(max(value, 0), limit - 1); }

// Rows `held` of the tile, all groups: the third trip is left to two threads of each row.
static __device__ void load_row(Tile tile, int held, const unsigned char* in, const Image& image) {
  const int left = (int)blockIdx.x * (kGroups * 4) - 4;
  const int y = clamped((int)(blockIdx.y * kThreadsY) - 1 + held, image.height);
#pragma unroll 1
  for (int group = threadIdx.x; group < kGroupsHeld; group += kThreadsX) {
    for (int i = 0; i < 4; ++i) {
      const int x = clamped(left + group * 4 + i, image.width);
      tile[held][group * 4 + i] = in[y * image.pitch + x];
    }
  }
}

struct Column {
  int top, middle, bottom;
};

static __device__ Column column_of(const Tile tile, int x, int y) {
  return {tile[y][x], tile[y + 1][x], tile[y + 2][x]};
}

static __device__ unsigned edge(const Column& left, const Column& here, const Column& right, int scale) {
  const int across = (right.top + 2 * right.middle + right.bottom) - (left.top + 2 * left.middle + left.bottom);
  const int down = (left.bottom + 2 * here.bottom + right.bottom) - (left.top + 2 * here.top + right.top);
  int sum = (max(across, -across) + max(down, -down)) * scale / 16;
  if (sum > 255) {
    asm volatile("");  // keeps the branch on the pixels that is the filter's own; nvcc would take a minimum
    sum = 255;
  }
  return sum;
}

extern "C" __global__ void sobel(const unsigned char* in, unsigned char* out, Image image, int scale) {
  __shared__ Tile tile;
  const int ty = threadIdx.y;
  load_row(tile, ty, in, image);
  if (ty < 2) load_row(tile, kThreadsY + ty, in, image);
  __syncthreads();

  const int y = blockIdx.y * kThreadsY + ty;
#pragma unroll 1
  for (int group = threadIdx.x; group < kGroups; group += kThreadsX) {
    const int x = (blockIdx.x * kGroups + group) * 4;
    if (x >= image.width || y >= image.height) continue;
    Column left = column_of(tile, group * 4 + 3, ty), here = column_of(tile, group * 4 + 4, ty);
    unsigned packed = 0;
    for (int i = 0; i < 4; ++i) {
      const Column right = column_of(tile, group * 4 + 5 + i, ty);
      packed |= edge(left, here, right, scale) << (8 * i);
      left = here;
      here = right;
    }
    *(unsigned*)(out + y * image.pitch + x) = packed;  // the last group may reach into the padding
  }
}

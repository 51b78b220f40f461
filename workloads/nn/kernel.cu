// Nearest neighbours of a place, among storms in lines of text: a thread reads where its storm was out of its line,
// character by character, and computes how far that is. Blocks have 16 threads, half a warp.

constexpr int kCharacters = 5;  // of a number: "ddd.d", with blanks for leading zeros

static __device__ float number(const char* text) {
  char characters[kCharacters];
  for (int i = 0; i < kCharacters; ++i) characters[i] = text[i];
  float value = 0.0f;
  if (characters[0] != ' ') value += (float)((characters[0] - '0') * 100);
  if (characters[1] != ' ') value += (float)((characters[1] - '0') * 10);
  if (characters[2] != ' ') value += (float)(characters[2] - '0');
  return value + (float)(characters[4] - '0') / 10.0f;
}

// Lines have `length` characters, and the latitude's first is at `column`; a blank is between it and the longitude.
extern "C" __global__ void measure(const char* lines, unsigned count, unsigned length, unsigned column, float latitude,
                                   float longitude, float* distances) {
  const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= count) return;
  const char* place = lines + line * length + column;
  const float north = number(place) - latitude, east = number(place + kCharacters + 1) - longitude;
  distances[line] = sqrtf(fmaf(north, north, east * east));
}

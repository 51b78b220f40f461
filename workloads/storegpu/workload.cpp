#include "workloads/storegpu/hashes.h"
#include "workloads/support.h"

namespace heddle::workloads::storegpu {

namespace {

constexpr uint32_t kThreads = 128;

std::vector<uint8_t> random_bytes(size_t count) {
  Random random(1);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.below(256));
  return bytes;
}

template <class Hash>
std::vector<uint8_t> digests_on_cpu(const std::vector<uint8_t>& data, size_t chunk, Hash hash) {
  std::vector<uint8_t> digests;
  for (size_t at = 0; at < data.size(); at += chunk) {
    const auto digest = hash(std::span(data).subspan(at, chunk));
    digests.insert(digests.end(), digest.begin(), digest.end());
  }
  return digests;
}

}  // namespace

// The chunks' lengths leave the padding of both hashes in the last block and, in `tiny`, in one of its own.
Check run(Device& device, Size size) {
  const uint32_t chunks = by_size(size, 150u, 3000u, 49'152u), words = by_size(size, 14u, 50u, 13u);
  const std::vector<uint8_t> data = random_bytes(size_t{chunks} * words * 4);
  const std::array<uint32_t, 64> sines = md5_sines();
  device.write(device.symbol("md5_sines"), sines.data(), sizeof sines);
  const Buffer<uint8_t> device_data(device, data, "data");
  const Buffer<uint8_t> md5_digests(device, size_t{chunks} * 16, "MD5 digests");
  const Buffer<uint8_t> sha1_digests(device, size_t{chunks} * 20, "SHA-1 digests");
  const LaunchShape launch{.grid = {ceil_div(chunks, kThreads)}, .block = {kThreads}};
  device.launch("md5_chunks", launch, Arguments(device_data.address(), md5_digests.address(), words, chunks));
  device.launch("sha1_chunks", launch, Arguments(device_data.address(), sha1_digests.address(), words, chunks));
  return all_of({compare("MD5 digests", digests_on_cpu(data, words * 4, md5), md5_digests.download()),
                 compare("SHA-1 digests", digests_on_cpu(data, words * 4, sha1), sha1_digests.download())});
}

}  // namespace heddle::workloads::storegpu

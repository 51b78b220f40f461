#include "workloads/support.h"

namespace heddle::workloads::unstructured {

namespace {

constexpr uint32_t kRules = 1024;
constexpr uint32_t kWords = 16;              // of a message
constexpr uint32_t kRows = 4, kColumns = 8;  // of the table that is searched

uint32_t stir(uint32_t x, uint32_t salt) {
  x = (x ^ salt) * 2654435761U;
  x ^= x >> 15;
  x = x * 2246822519U + salt;
  x ^= x >> 13;
  x *= 3266489917U;
  return x ^ x >> 16;
}

// The program by its meaning, thread by thread.
class OnCpu {
 public:
  explicit OnCpu(const std::vector<uint32_t>& rules) : rules_(rules) {}

  uint32_t short_circuit(uint32_t x, uint32_t rounds) const {
    for (uint32_t round = 0; round < rounds; ++round) {
      const bool either = (holds(x, 0) && holds(x, 1)) || (holds(x, 2) && holds(x, 3));
      x = either ? stir(stir(x, 11), 12) : stir(stir(x, 13), 14);
    }
    return x;
  }

  uint32_t read_message(const uint32_t* message) const {
    uint32_t sum = 0, errors = 0;
    for (uint32_t at = 0; at < kWords;) {
      const uint32_t packet = message[at++] % 8;
      const uint32_t code = at + packet > kWords ? 3 : read_packet(message + at, packet, sum);
      if (code != 0) sum = stir(stir(sum, 22), code);
      if (code != 0 && ++errors == 4) return sum + errors;
      at += packet;
    }
    return stir(sum, 23) + errors;
  }

  uint32_t search_table(uint32_t x) const { return stir(found(x) ? x : stir(stir(x, 32), 33), 34); }

  uint32_t split_and_merge(uint32_t x, uint32_t rounds) const {
    for (uint32_t round = 0; round < rounds; ++round) {
      const bool both = !holds(x, 10) || !holds(x, 11);
      bool second = !both && !holds(x, 12);
      if (!both && !second) x = stir(x, 41);
      if (both) {
        x = stir(stir(x, 42), 43);
        second = holds(x, 13);
      }
      if (second) x = stir(stir(x, 44), 45);
      x += round;
    }
    return x;
  }

 private:
  bool holds(uint32_t x, uint32_t r) const { return (rules_[(x >> r) % kRules] >> r & 1) != 0; }

  uint32_t read_word(uint32_t word, uint32_t& sum) const {
    if (!holds(word, 4)) return 1;
    sum = stir(sum ^ word, 21);
    if (!holds(sum, 5)) return 2;
    sum += word;
    return 0;
  }

  uint32_t read_packet(const uint32_t* words, uint32_t count, uint32_t& sum) const {
    for (uint32_t k = 0; k < count; ++k) {
      if (const uint32_t code = read_word(words[k], sum); code != 0) return code;
      if (const uint32_t code = read_word(words[k] ^ sum, sum); code != 0) return code;
    }
    return 0;
  }

  bool found(uint32_t& x) const {
    for (uint32_t row = 0; row < kRows; ++row) {
      for (uint32_t column = 0; column < kColumns; ++column) {
        const uint32_t y = stir(x, row * kColumns + column);
        if (!holds(y, 6) && !holds(y, 7)) return true;
        if (!holds(y, 6) && !holds(y, 8)) break;
        if (!holds(y, 9)) return false;
        x += y;
      }
      x = stir(x, 31);
    }
    return false;
  }

  const std::vector<uint32_t>& rules_;
};

// Rule r holds for so many of 16.
constexpr uint32_t kHolds[] = {10, 8, 8, 8, 15, 15, 10, 14, 8, 15, 10, 10, 8, 8};

std::vector<uint32_t> make_rules(Random& random) {
  std::vector<uint32_t> rules(kRules);
  for (uint32_t& rule : rules)
    for (uint32_t r = 0; r < std::size(kHolds); ++r) rule |= (random.below(16) < kHolds[r] ? 1U : 0U) << r;
  return rules;
}

}  // namespace

Check run(Device& device, Size size) {
  const auto blocks = by_size<uint32_t>(size, 1, 30, 120), rounds = by_size<uint32_t>(size, 8, 16, 16);
  const uint32_t block = by_size(size, 64U, 128U, 128U), threads = blocks * block;
  Random random(1);
  const std::vector<uint32_t> rules = make_rules(random);
  std::vector<uint32_t> records(threads), words(size_t{threads} * kWords);
  for (std::vector<uint32_t>* values : {&records, &words})
    for (uint32_t& value : *values) value = static_cast<uint32_t>(random.next());

  const OnCpu cpu(rules);
  const Buffer<uint32_t> device_rules(device, rules, "rules"), device_records(device, records, "records"),
      device_words(device, words, "words");
  const auto check = [&](const char* kernel, const Buffer<uint32_t>& from, auto expected_of, auto... numbers) {
    const Buffer<uint32_t> results(device, threads, kernel);
    device.launch(kernel, {.grid = {blocks}, .block = {block}},
                  Arguments(device_rules.address(), from.address(), results.address(), numbers...));
    std::vector<uint32_t> expected(threads);
    for (uint32_t i = 0; i < threads; ++i) expected[i] = expected_of(i);
    return compare(kernel, expected, results.download());
  };
  return all_of({
      check(
          "short_circuit", device_records, [&](uint32_t i) { return cpu.short_circuit(records[i], rounds); }, rounds),
      check(
          "read_messages", device_words,
          [&](uint32_t i) { return cpu.read_message(words.data() + size_t{i} * kWords); }, kWords),
      check(
          "search_table", device_records, [&](uint32_t i) { return cpu.search_table(records[i]); }, kRows, kColumns),
      check(
          "split_and_merge", device_records, [&](uint32_t i) { return cpu.split_and_merge(records[i], rounds); },
          rounds),
  });
}

}  // namespace heddle::workloads::unstructured

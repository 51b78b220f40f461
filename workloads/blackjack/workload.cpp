#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "workloads/support.h"

namespace heddle::workloads::blackjack {

namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kHands = 4;

using Row = std::array<uint8_t, 11>;  // by the dealer's open card, 1 to 10

struct Strategy {  // as in kernel.cu
  std::array<Row, 22> hard{}, soft{};
  std::array<Row, 11> split{};
};

// S stand, H hit, D double or else hit, E double or else stand; P split, - not. Dealer's card from ace to 10.
Row row_of(std::string_view choices) {
  Row row{};
  for (size_t card = 1; card <= 10; ++card) {
    const char choice = choices[card - 1];
    row[card] = choice == 'H' || choice == 'P' ? 1 : choice == 'D' ? 2 : choice == 'E' ? 3 : 0;
  }
  return row;
}

// Basic strategy for many decks, where the dealer stands on every 17 and a split hand may be doubled. It
// follows from the rules (Baldwin, Cantey, Maisel, McDermott 1956).
Strategy basic_strategy() {
  Strategy strategy;
  for (size_t total = 0; total <= 8; ++total) strategy.hard[total] = row_of("HHHHHHHHHH");
  strategy.hard[9] = row_of("HHDDDDHHHH");
  strategy.hard[10] = row_of("HDDDDDDDDH");
  strategy.hard[11] = row_of("HDDDDDDDDD");
  strategy.hard[12] = row_of("HHHSSSHHHH");
  for (size_t total = 13; total <= 16; ++total) strategy.hard[total] = row_of("HSSSSSHHHH");
  strategy.soft[12] = row_of("HHHHHHHHHH");  // two aces that may not be split again
  strategy.soft[13] = strategy.soft[14] = row_of("HHHHDDHHHH");
  strategy.soft[15] = strategy.soft[16] = row_of("HHHDDDHHHH");
  strategy.soft[17] = row_of("HHDDDDHHHH");
  strategy.soft[18] = row_of("HSEEEESSHH");
  strategy.split[1] = strategy.split[8] = row_of("PPPPPPPPPP");
  strategy.split[2] = strategy.split[3] = strategy.split[7] = row_of("-PPPPPP---");
  strategy.split[4] = row_of("----PP----");
  strategy.split[6] = row_of("-PPPPP----");
  strategy.split[9] = row_of("-PPPPP-PP-");
  return strategy;
}

class Shoe {
 public:
  explicit Shoe(uint32_t seed) : state_(seed) {}
  int32_t draw() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return std::min(static_cast<int32_t>(((state_ >> 16) * 13) >> 16) + 1, 10);
  }

 private:
  uint32_t state_;
};

struct Hand {
  int32_t total = 0, bet = 1;
  bool ace = false;
  void take(int32_t card) {
    total += card;
    ace |= card == 1;
  }
  bool soft() const { return ace && total <= 11; }
  int32_t score() const { return soft() ? total + 10 : total; }
};

Hand hand_of(int32_t first, int32_t second) {
  Hand hand;
  hand.take(first);
  hand.take(second);
  return hand;
}

class Table {
 public:
  Table(uint32_t seed, const Strategy& strategy) : shoe_(seed), strategy_(strategy) {}

  int32_t play_round() {
    const int32_t first = shoe_.draw(), open = shoe_.draw(), second = shoe_.draw();
    Hand dealer = hand_of(open, shoe_.draw());
    const bool natural = hand_of(first, second).score() == 21;
    if (dealer.score() == 21) return natural ? 0 : -2;
    if (natural) return 3;
    const std::vector<Hand> hands = play_hands(first, second, open);
    if (std::ranges::any_of(hands, [](const Hand& hand) { return hand.total <= 21; }))
      while (dealer.score() < 17) dealer.take(shoe_.draw());
    int32_t won = 0;
    for (const Hand& hand : hands) won += 2 * hand.bet * outcome(hand, dealer);
    return won;
  }

 private:
  static int32_t outcome(const Hand& hand, const Hand& dealer) {
    if (hand.total > 21) return -1;
    if (dealer.total > 21) return 1;
    return (hand.score() > dealer.score()) - (hand.score() < dealer.score());
  }

  std::vector<Hand> play_hands(int32_t first, int32_t second, int32_t open) {
    std::vector<Hand> hands;
    for (size_t promised = 1; hands.size() < promised; second = hands.size() < promised ? shoe_.draw() : 0) {
      for (; first == second && promised < kHands && strategy_.split[size_t(first)][size_t(open)]; ++promised)
        second = shoe_.draw();
      hands.push_back(hand_of(first, second));
      if (promised == 1 || first != 1) play_hand(hands.back(), open);
    }
    return hands;
  }

  uint8_t action_of(const Hand& hand, int32_t open) const {
    return (hand.soft() ? strategy_.soft : strategy_.hard)[size_t(hand.score())][size_t(open)];
  }

  void play_hand(Hand& hand, int32_t open) {
    uint8_t action = action_of(hand, open);
    if (action >= 2) {
      hand.bet = 2;
      hand.take(shoe_.draw());
      return;
    }
    while (action == 1 || action == 2) {
      hand.take(shoe_.draw());
      action = hand.total > 21 ? 0 : action_of(hand, open);
    }
  }

  Shoe shoe_;
  const Strategy& strategy_;
};

template <class T>
void fill_symbol(Device& device, std::string_view name, const T& rows) {
  device.write(device.symbol(name), rows.data(), sizeof(rows));
}

}  // namespace

Check run(Device& device, Size size) {
  const uint32_t blocks = by_size(size, 2u, 12u, 120u), rounds = by_size(size, 3u, 12u, 16u);
  const Strategy strategy = basic_strategy();
  fill_symbol(device, "action_hard", strategy.hard);
  fill_symbol(device, "action_soft", strategy.soft);
  fill_symbol(device, "split_pair", strategy.split);

  Random random(1);
  std::vector<uint32_t> seeds(size_t{blocks} * kThreads);
  for (uint32_t& seed : seeds) seed = 1 + random.below(0xffff'ffff);  // xorshift would stay at 0
  Buffer<uint32_t> device_seeds(device, seeds, "seeds");
  Buffer<int32_t> winnings(device, seeds.size(), "winnings"), total(device, 1, "total");
  device.launch("blackjack", {.grid = {blocks}, .block = {kThreads}},
                Arguments(device_seeds.address(), winnings.address(), total.address(), rounds));

  std::vector<int32_t> expected;
  for (const uint32_t seed : seeds) {
    Table table(seed, strategy);
    int32_t& won = expected.emplace_back(0);
    for (uint32_t round = 0; round < rounds; ++round) won += table.play_round();
  }
  const int32_t sum = std::accumulate(expected.begin(), expected.end(), 0);
  return all_of({compare("winnings", expected, winnings.download()), compare("total", {sum}, total.download())});
}

}  // namespace heddle::workloads::blackjack

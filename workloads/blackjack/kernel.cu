// Monte Carlo of the card game: every thread is a table with one player who follows a fixed strategy, and
// plays round after round from a shoe that never runs low. How many cards a hand takes, whether it is split,
// doubled or lost early, and how long the dealer draws, is up to the cards.

constexpr int kThreads = 256;
constexpr int kHands = 4;  // at most, after splits

// What the host fills in, by the value of the dealer's open card, 1 (the ace) to 10.
enum Action : unsigned char { kStand, kHit, kDoubleOrHit, kDoubleOrStand };
__constant__ unsigned char action_hard[22][11];  // by the hand's total
__constant__ unsigned char action_soft[22][11];  // the same, where an ace counts 11
__constant__ unsigned char split_pair[11][11];   // by the value of one of two equal cards

// The value of the next card, the ace counted 1. The generator is Marsaglia's xorshift.
static __device__ int draw(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  const int rank = ((state >> 16) * 13) >> 16;
  return rank < 9 ? rank + 1 : 10;
}

struct Hand {
  int total;  // aces counted 1
  bool ace;
  __device__ void take(int card) {
    total += card;
    ace = ace || card == 1;
  }
  __device__ bool soft() const { return ace && total <= 11; }
  __device__ int score() const { return soft() ? total + 10 : total; }
};

static __device__ int action_of(const Hand& hand, int open) {
  return hand.soft() ? action_soft[hand.score()][open] : action_hard[hand.total][open];
}

// A finished hand as one byte: score, or 0 if it went over 21, times 4 plus the bet.
static __device__ unsigned finished(const Hand& hand, unsigned bet) {
  return (hand.total > 21 ? 0 : hand.score()) * 4 + bet;
}

static __device__ unsigned play_hand(Hand hand, int open, unsigned& state) {
  int action = action_of(hand, open);
  if (action == kDoubleOrHit || action == kDoubleOrStand) {
    hand.take(draw(state));
    return finished(hand, 2);
  }
#pragma unroll 1
  while (action == kHit || action == kDoubleOrHit) {
    hand.take(draw(state));
    if (hand.total > 21) break;
    action = action_of(hand, open);
  }
  return finished(hand, 1);
}

// The player's hands, one byte each. Hands that wait after a split all begin with the same card.
static __device__ unsigned play_hands(int first, int second, int open, unsigned& state) {
  unsigned hands = 0;
  int waiting = 0, splits = 0;
#pragma unroll 1
  for (;;) {
#pragma unroll 1
    while (first == second && splits < kHands - 1 && split_pair[first][open]) {
      ++splits;
      ++waiting;
      second = draw(state);
    }
    const Hand hand = {first + second, first == 1 || second == 1};
    const bool stays = splits > 0 && first == 1;  // split aces get one card each
    hands = hands << 8 | (stays ? finished(hand, 1) : play_hand(hand, open, state));
    if (waiting == 0) return hands;
    --waiting;
    second = draw(state);
  }
}

// What the player wins in all, in half bets; `hands` as play_hands returns them.
static __device__ int settle(unsigned hands, int dealer) {
  int won = 0;
#pragma unroll 1
  for (; hands != 0; hands >>= 8) {
    const int score = (hands & 0xff) / 4, stake = 2 * (hands & 3);
    if (score == 0 || (dealer <= 21 && score < dealer)) {
      won -= stake;
    } else if (dealer > 21 || score > dealer) {
      won += stake;
    }
  }
  return won;
}

static __device__ int play_round(unsigned& state) {
  const int first = draw(state), open = draw(state), second = draw(state);
  Hand dealer = {open, open == 1};
  dealer.take(draw(state));
  const bool natural = first + second == 11 && (first == 1 || second == 1);
  if (dealer.score() == 21) return natural ? 0 : -2;
  if (natural) return 3;
  const unsigned hands = play_hands(first, second, open, state);
  if ((hands & 0xfcfcfcfc) != 0) {  // the dealer plays if any hand is left
#pragma unroll 1
    while (dealer.score() < 17) dealer.take(draw(state));
  }
  return settle(hands, dealer.score());
}

extern "C" __global__ void blackjack(const unsigned* seeds, int* winnings, int* total, int rounds) {
  __shared__ int sums[kThreads];
  const int table = blockIdx.x * kThreads + threadIdx.x;
  unsigned state = seeds[table];
  int won = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) won += play_round(state);
  winnings[table] = won;
  sums[threadIdx.x] = won;
  __syncthreads();
#pragma unroll 1
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, sums[0]);
}

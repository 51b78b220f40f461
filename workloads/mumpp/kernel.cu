// Matches many short reads against the sorted suffixes of a reference sequence, one thread per read: the
// suffix tree of mum, flattened into two tables. For every start in the read a binary search finds the
// longest prefix that occurs in the reference. The second table holds, for the middle of each step, how many
// bases its suffix shares with those at both ends of the step, so that no base is compared twice (Manber,
// Myers 1993).

struct Shared {
  int with_low, with_high;
};

struct Match {
  int length, position;  // both 0 where it is shorter than the shortest that counts
};

struct Search {
  const int* suffixes;
  const Shared* shared;
  const unsigned char* reference;  // its end is marked by a base that is greater than any of a read
  const unsigned char* text;
  int length;
};

// An end of the range that is searched, and how many bases of the text its suffix matches.
struct End {
  int place, matched;
};

static __device__ int matched_bases(const Search& search, int place, int matched) {
  const unsigned char* suffix = search.reference + search.suffixes[place];
#pragma unroll 1
  while (matched < search.length && suffix[matched] == search.text[matched]) ++matched;
  return matched;
}

// Narrows the range between low, which sorts before the text, and high, which does not, until nothing is
// between them or one of them begins with the whole text. Returns the better end.
static __device__ End narrow(const Search& search, End low, End high) {
#pragma unroll 1
  while (high.place - low.place > 1 && high.matched < search.length) {
    const int middle = (low.place + high.place) / 2;
    const bool low_is_better = low.matched >= high.matched;
    const int known = low_is_better ? low.matched : high.matched;
    const int shared = low_is_better ? search.shared[middle].with_low : search.shared[middle].with_high;
    End next = {middle, known};
    bool is_low = low_is_better;  // the middle fails where the better end fails
    if (shared < known) {
      next.matched = shared;
      is_low = !low_is_better;
    } else if (shared == known) {
      next.matched = matched_bases(search, middle, known);
      const unsigned char base = search.reference[search.suffixes[middle] + next.matched];
      is_low = next.matched < search.length && base < search.text[next.matched];
    }
    if (is_low) {
      low = next;
    } else {
      high = next;
    }
  }
  return low.matched >= high.matched ? low : high;
}

static __device__ End longest_match(const Search& search, int suffix_count) {
  const End low = {0, matched_bases(search, 0, 0)};
  if (low.matched == search.length) return low;
  if (search.reference[search.suffixes[0] + low.matched] > search.text[low.matched]) return low;
  // The last suffix is the mark alone, after any text.
  return narrow(search, low, {suffix_count - 1, 0});
}

extern "C" __global__ void match_reads(const int* suffixes, const Shared* shared, const unsigned char* reference,
                                       int suffix_count, const unsigned char* reads, int read_count, int read_length,
                                       int shortest, Match* matches) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= read_count) return;
  const int starts = read_length - shortest + 1;
#pragma unroll 1
  for (int start = 0; start < starts; ++start) {
    const Search search = {suffixes, shared, reference, reads + read * read_length + start, read_length - start};
    const End best = longest_match(search, suffix_count);
    const bool counts = best.matched >= shortest;
    matches[read * starts + start] = {counts ? best.matched : 0, counts ? suffixes[best.place] : 0};
  }
}

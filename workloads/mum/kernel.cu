// Matches many short reads against the suffix tree of a reference sequence, one thread per read. For every
// start in the read it finds the longest prefix that occurs in the reference; from one start to the next it
// follows a suffix link instead of beginning at the root again (Chang, Lawler 1994).

constexpr int kNone = -1, kRoot = 0;
constexpr int kReadEnd = 0;  // the mark behind every read

struct alignas(16) Node {
  int label_begin, label_end;  // the edge from the parent, as a piece of the reference
  int suffix_link;             // the node of the same text without its first base; the root has none
};

struct alignas(16) Children {
  int by_base[4];
};

struct Place {
  int node;     // the match ends on the edge to this node,
  int on_edge;  // after so many bases; 0: in the node itself
};

static __device__ int child_by(int base, Children children) {
  switch (base) {
    case 'A': return children.by_base[0];
    case 'C': return children.by_base[1];
    case 'G': return children.by_base[2];
    default: return children.by_base[3];
  }
}

// The reference lies as a picture of 65536 columns: from one base to the next it goes down, and after four rows right,
// in as many strips of four rows as it needs.
static __device__ int base_at(const unsigned char* reference, int position) {
  const int column = position >> 2 & 0xffff, row = position >> 18 << 2 | (position & 3);
  return reference[row << 16 | column];
}

// The end of the reference is marked by a base that equals none of a read, so no leaf is ever passed.
extern "C" __global__ void match_reads(const Node* nodes, const Children* children, const unsigned char* reference,
                                       const unsigned char* reads, int read_count, int read_length, int shortest,
                                       Place* places) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= read_count) return;
  const int starts = read_length - shortest + 1;
  const unsigned char* text = reads + read * (read_length + 1);
  Place* place = places + read * starts;
  int node = kRoot;
  int matched = 0;  // bases from the root on
  int known = 0;    // bases below the node that were matched before a suffix link, and need not be again

#pragma unroll 1
  for (int start = 0; start < starts; ++start, ++text, ++place) {
    int position = 0;  // in the reference, of the next base
    Node edge = {0, 0, kNone};
    if (node == kNone || matched < 0) {
      node = kRoot;
      matched = known = 0;
    }
    int parent = node;
    int base = text[matched];
    while (base != kReadEnd) {
      parent = node;
      node = child_by(base, children[parent]);
      if (node == kNone) {
        if (matched >= shortest) *place = {parent, 0};
        --matched;
        known = 0;
        goto next_start;
      }
      edge = nodes[node];
      if (known > 0) {
        const int length = edge.label_end - edge.label_begin;
        if (known >= length) {
          position = edge.label_end;
          matched += length;
          known -= length;
        } else {
          position = edge.label_begin + known;
          matched += known;
          known = 0;
        }
      } else {  // the edge was chosen by its first base
        position = edge.label_begin + 1;
        ++matched;
      }
      base = text[matched];
#pragma unroll 1
      while (position < edge.label_end && base != kReadEnd) {
        if (base_at(reference, position) != base) goto mismatch;
        ++position;
        base = text[++matched];
      }
    }
  mismatch:
    known = position - edge.label_begin;
    if (matched >= shortest) *place = {node, known};
    matched -= known + 1;
  next_start:
    node = nodes[parent].suffix_link;
  }
}

// Matches many short reads against the suffix tree of a reference sequence, one thread per read. For every
// start in the read it finds the longest prefix that occurs in the reference; from one start to the next it
// follows a suffix link instead of beginning at the root again (Chang, Lawler 1994).

constexpr int kNone = -1, kRoot = 0;
constexpr int kReadEnd = 0;  // the mark behind every read

// A node has two quadruples: of its edge (from the parent, as a piece of the reference) the begin and the end, and its
// suffix link, the node of the same text without its first base, which the root has not; and its children by base.
using Quadruple = int4;

struct Place {
  int node;     // the match ends on the edge to this node,
  int on_edge;  // after so many bases; 0: in the node itself
};

// Tree and reference are read by the texture cache: a thread hops about in them, and in its read it goes along.
static __device__ int child_by(int base, Quadruple children) {
  switch (base) {
    case 'A': return children.x;
    case 'C': return children.y;
    case 'G': return children.z;
    default: return children.w;
  }
}

// The reference lies as a picture of 65536 columns: from one base to the next it goes down, and after four rows right,
// in as many strips of four rows as it needs.
static __device__ int base_at(const unsigned char* reference, int position) {
  const int column = position >> 2 & 0xffff, row = position >> 18 << 2 | (position & 3);
  return __ldg(&reference[row << 16 | column]);
}

// The end of the reference is marked by a base that equals none of a read, so no leaf is ever passed.
extern "C" __global__ void match_reads(const Quadruple* edges, const Quadruple* children,
                                       const unsigned char* reference, const unsigned char* reads, int read_count,
                                       int read_length, int shortest, Place* places) {
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
    int edge_begin = 0;
    if (node == kNone || matched < 0) {
      node = kRoot;
      matched = known = 0;
    }
    int parent = node;
    int base = text[matched];
    while (base != kReadEnd) {
      parent = node;
      node = child_by(base, __ldg(&children[parent]));
      if (node == kNone) {
        if (matched >= shortest) *place = {parent, 0};
        --matched;
        known = 0;
        goto next_start;
      }
      const Quadruple edge = __ldg(&edges[node]);
      const int edge_end = edge.y;
      edge_begin = edge.x;
      if (known > 0) {
        const int length = edge_end - edge_begin;
        if (known >= length) {
          position = edge_end;
          matched += length;
          known -= length;
        } else {
          position = edge_begin + known;
          matched += known;
          known = 0;
        }
      } else {  // the edge was chosen by its first base
        position = edge_begin + 1;
        ++matched;
      }
      base = text[matched];
#pragma unroll 1
      while (position < edge_end && base != kReadEnd) {
        if (base_at(reference, position) != base) goto mismatch;
        ++position;
        base = text[++matched];
      }
    }
  mismatch:
    known = position - edge_begin;
    if (matched >= shortest) *place = {node, known};
    matched -= known + 1;
  next_start:
    node = __ldg(&edges[parent]).z;
  }
}

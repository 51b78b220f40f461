// Matches many short reads against the suffix tree of a reference sequence, one thread per read. For every
// start in the read it finds the longest prefix that occurs in the reference; from one start to the next it
// follows a suffix link instead of beginning at the root again (Chang, Lawler 1994).

struct Node {
  int label_begin, label_end;  // the edge from the parent, as a piece of the reference
  int children[4];             // by base, -1 where there is none
  int suffix_link;             // the node of the same text without its first base
  int depth;                   // bases from the root to the end of the label
};

struct Match {
  int length, position;  // both 0 where it is shorter than the shortest that counts
};

struct Path {
  int node;      // the deepest node passed
  int matched;   // bases from the root on; those beyond the node lie on an edge below it
  int position;  // where the path occurs in the reference
};

// Walks down until a base does not match or the text ends. The end of the reference is marked by a base that
// equals none of a read, so no leaf is ever passed.
static __device__ Path walk_down(const Node* tree, const unsigned char* reference, const unsigned char* text,
                                 int length, Path path) {
  int depth = tree[path.node].depth;
#pragma unroll 1
  while (depth < length) {
    const int next = tree[path.node].children[text[depth]];
    if (next < 0) break;
    const int label_end = tree[next].label_end;
    path.position = tree[next].label_begin - depth;
    // The edge was chosen by its first base; what was matched before a suffix link need not be matched again, be it
    // a part of the edge or all of it.
    if (path.matched == depth) ++path.matched;
#pragma unroll 1
    for (; path.position + path.matched < label_end; ++path.matched)
      if (path.matched == length || reference[path.position + path.matched] != text[path.matched]) return path;
    path.node = next;
    depth = label_end - path.position;
  }
  return path;
}

// The path without its first base begins at the suffix link; what it matches below that is known.
static __device__ Path drop_first_base(const Node* tree, Path path) {
  if (path.matched == 0) return path;
  return {tree[path.node].suffix_link, path.matched - 1, path.position + 1};
}

extern "C" __global__ void match_reads(const Node* tree, const unsigned char* reference, const unsigned char* reads,
                                       int read_count, int read_length, int shortest, Match* matches) {
  const int read = blockIdx.x * blockDim.x + threadIdx.x;
  if (read >= read_count) return;
  const unsigned char* text = reads + read * read_length;
  const int starts = read_length - shortest + 1;
  Path path = {0, 0, 0};
#pragma unroll 1
  for (int start = 0; start < starts; ++start) {
    path = walk_down(tree, reference, text + start, read_length - start, path);
    const bool counts = path.matched >= shortest;
    matches[read * starts + start] = {counts ? path.matched : 0, counts ? path.position : 0};
    path = drop_first_base(tree, path);
  }
}

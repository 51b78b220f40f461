/* libheddle: a kernel of a PTX text on the simulator, for programs of any language. C99; no other header of heddle is
 * needed.
 *
 *   heddle_argument arguments[] = {{HEDDLE_IN_OUT, data, sizeof data}, {HEDDLE_VALUE, &n, sizeof n}};
 *   const char* options[] = {"mechanism=its", "preset=h200", NULL};
 *   heddle_launch launch = {ptx, "scale", {blocks, 1, 1}, {256, 1, 1}, 0, arguments, 2, options};
 *   heddle_result* result;
 *   if (heddle_run(&launch, &result) != HEDDLE_OK) fprintf(stderr, "%s\n", heddle_error(result));
 *   heddle_release(result);
 *
 * Every call has a GPU of its own, which ends with it: calls from several threads at a time do not know of each other,
 * as long as no two of them write to the same host memory. Nothing is printed, no signal is taken, and the caller's
 * floating-point environment and locale do not matter.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What heddle_run() returns: the exit codes of the program heddle (docs/exit-codes.md). */
enum {
  HEDDLE_OK = 0,
  HEDDLE_USAGE = 2,       /* an option, or something in heddle_launch */
  HEDDLE_BAD_PROGRAM = 3, /* PTX that does not parse or uses what is not supported; no such kernel */
  HEDDLE_BAD_LAUNCH = 4,  /* a launch that does not fit the kernel or the machine */
  HEDDLE_FAULT = 5,       /* out of bounds, misaligned, trap, a failed assertion, ... */
  HEDDLE_DEADLOCK = 6,    /* or given up: max_slots, max_cycles, spin_limit, ... */
  HEDDLE_REFUSED = 7,     /* the mechanism cannot run this kernel */
  HEDDLE_FOUND = 9,       /* a check (option check) found something */
  HEDDLE_INTERNAL = 70,   /* a bug in heddle */
  HEDDLE_HOST = 71        /* this machine lacks memory, files or processes */
};

enum {
  HEDDLE_VALUE = 0, /* `data` are the bytes of the parameter: a number, or a structure by value */
  /* A buffer: the kernel is given the address of GPU memory of that size, and accesses beside it are faults. */
  HEDDLE_IN = 1,    /* filled from `data` before the launch */
  HEDDLE_OUT = 2,   /* copied to `data` behind it, whole; what the kernel has not written is zero */
  HEDDLE_IN_OUT = 3 /* both */
};

/* Buffers that overlap in host memory overlap on the GPU too. NULL with 0 bytes is a null pointer. */
typedef struct heddle_argument {
  int kind;
  void* data; /* not written to, but for HEDDLE_OUT and HEDDLE_IN_OUT */
  size_t bytes;
} heddle_argument;

typedef struct heddle_launch {
  const char* ptx;                  /* the module's text */
  const char* kernel;               /* NULL: the only one there is */
  unsigned grid[3], block[3];       /* blocks; threads of a block */
  unsigned shared_bytes;            /* dynamic shared memory */
  const heddle_argument* arguments; /* in the order of the kernel's parameters */
  size_t argument_count;
  /* "key=value", NULL behind the last; NULL: none. The last of one key wins.
   *   level        emulate (the default: no clock, many times faster) or cycle
   *   preset       a machine (heddle list presets), or a .toml file
   *   mechanism    which threads issue together (heddle list mechanisms)
   *   lanes, schedule, check    as --lanes, --schedule and --check of heddle run
   *   cooperative  true: all blocks resident at once
   *   name         what messages call the text; kernel.ptx
   * Everything else is a key of the machine (heddle list keys), such as warp_size=16 or max_slots=1000000. */
  const char* const* options;
} heddle_launch;

typedef struct heddle_result heddle_result;

/* Runs it, and returns when it has ended. `result` may be NULL; else the caller releases what is put there, whatever
 * was returned. Buffers are copied back of a launch that ended in an error too. */
int heddle_run(const heddle_launch* launch, heddle_result** result);

/* Texts of a result, never NULL, as long as it lives. */
const char* heddle_error(const heddle_result* result);    /* what went wrong, and where; what checks found; else "" */
const char* heddle_warnings(const heddle_result* result); /* a line each; "" */
const char* heddle_printed(const heddle_result* result);  /* by printf in kernels; "" */
const char* heddle_json(const heddle_result* result);     /* counters (docs/json.md); "" where nothing was launched */
void heddle_release(heddle_result* result);               /* NULL: nothing to do */

const char* heddle_version(void); /* "0.1" */

#ifdef __cplusplus
}
#endif

#endif

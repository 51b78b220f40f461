// The part of the CUDA SDK's utility library of 2010 that programs use, for tools/measure-originals: checks that end the
// program, timers, options of the command line, comparisons.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda_2010.h"

enum CUTBoolean { CUTFalse, CUTTrue };

#define CUDA_SAFE_CALL_NO_SYNC(call)                                                               \
  do {                                                                                             \
    const cudaError_t heddle_error = (call);                                                       \
    if (heddle_error != cudaSuccess) {                                                             \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(heddle_error));        \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CUT_SAFE_CALL(call) \
  do {                      \
    if (!(call)) exit(1);   \
  } while (0)
#define CUT_CHECK_ERROR(message)                                                                        \
  do {                                                                                                  \
    cudaError_t heddle_error = cudaGetLastError();                                                      \
    if (heddle_error == cudaSuccess) heddle_error = cudaThreadSynchronize();                            \
    if (heddle_error != cudaSuccess) {                                                                  \
      fprintf(stderr, "%s: %s\n", message, cudaGetErrorString(heddle_error));                           \
      exit(EXIT_FAILURE);                                                                               \
    }                                                                                                   \
  } while (0)
#define CUT_DEVICE_INIT(...) ((void)0)
#define CUT_EXIT(...) exit(EXIT_SUCCESS)
#define CUT_BANK_CHECKER(array, index) array[index]

// ---- timers: seconds of this process, which mean nothing here

inline double* heddle_timer(unsigned number) {
  static double timers[256];
  return &timers[number % 256];
}
inline double heddle_now() { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }
inline CUTBoolean cutCreateTimer(unsigned* timer) {
  static unsigned made;
  *timer = made++;
  return CUTTrue;
}
inline CUTBoolean cutStartTimer(unsigned timer) { return *heddle_timer(timer) -= heddle_now(), CUTTrue; }
inline CUTBoolean cutStopTimer(unsigned timer) { return *heddle_timer(timer) += heddle_now(), CUTTrue; }
inline CUTBoolean cutResetTimer(unsigned timer) { return *heddle_timer(timer) = 0, CUTTrue; }
inline CUTBoolean cutDeleteTimer(unsigned) { return CUTTrue; }
inline float cutGetTimerValue(unsigned timer) { return (float)*heddle_timer(timer); }
inline float cutGetAverageTimerValue(unsigned timer) { return cutGetTimerValue(timer); }

// ---- the command line: --name and --name=value

inline const char* heddle_option(int count, const char** words, const char* name) {
  for (int i = 1; i < count; ++i) {
    const char* word = words[i];
    while (*word == '-') ++word;
    const size_t length = strlen(name);
    if (word != words[i] && strncmp(word, name, length) == 0 && (word[length] == 0 || word[length] == '='))
      return word + length;
  }
  return nullptr;
}
inline CUTBoolean cutCheckCmdLineFlag(int count, const char** words, const char* name) {
  return heddle_option(count, words, name) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumenti(int count, const char** words, const char* name, int* value) {
  const char* text = heddle_option(count, words, name);
  if (!text || *text != '=') return CUTFalse;
  *value = atoi(text + 1);
  return CUTTrue;
}

inline CUTBoolean cutGetCmdLineArgumentstr(int count, const char** words, const char* name, char** value) {
  const char* text = heddle_option(count, words, name);
  if (!text || *text != '=') return CUTFalse;
  *value = strdup(text + 1);
  return CUTTrue;
}

// ---- comparisons

inline CUTBoolean cutCompareub(const unsigned char* a, const unsigned char* b, unsigned bytes) {
  return memcmp(a, b, bytes) == 0 ? CUTTrue : CUTFalse;
}
// The norm of the difference against that of the first.
inline CUTBoolean cutCompareL2fe(const float* a, const float* b, unsigned count, float epsilon) {
  double difference = 0, norm = 0;
  for (unsigned i = 0; i < count; ++i) {
    difference += (double)(a[i] - b[i]) * (a[i] - b[i]);
    norm += (double)a[i] * a[i];
  }
  return difference <= (double)epsilon * epsilon * norm ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutComparefe(const float* a, const float* b, unsigned count, float epsilon) {
  for (unsigned i = 0; i < count; ++i)
    if (!(fabsf(a[i] - b[i]) <= epsilon)) return CUTFalse;
  return CUTTrue;
}

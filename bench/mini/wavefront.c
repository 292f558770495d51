/* Longest common subsequence: one region per diagonal. */
#include "bench/mini/mini.h"

enum { MOST = 256, WIDE = MOST + 1 };
static char first[MOST], second[MOST];
static int score[WIDE * WIDE];

void mini_wavefront(long times, long n) {
  long wide = n + 1;
  for (long i = 0; i < n; i++)
    first[i] = (char)('a' + i % 4), second[i] = (char)('a' + (i + 1) % 4);
  for (long t = 0; t < times; t++) {
#pragma omp target data map(to : first [0:n], second [0:n]) map(from : score [0:wide * wide])
    {
#pragma omp target teams distribute parallel for
      for (long i = 0; i < wide; i++) score[i] = score[i * wide] = 0;
      for (long d = 2; d <= 2 * n; d++) {
        long begin = d > n ? d - n : 1, end = d > n ? n : d - 1;
#pragma omp target teams distribute parallel for thread_limit(256)
        for (long i = begin; i <= end; i++) {
          long j = d - i;
          int up = score[(i - 1) * wide + j], left = score[i * wide + j - 1];
          int best = up > left ? up : left, both = score[(i - 1) * wide + j - 1] + 1;
          if (first[i - 1] == second[j - 1] && both > best) best = both;
          score[i * wide + j] = best;
        }
      }
    }
  }
  mini_check("wavefront: all but one letter", score[n * wide + n], (double)n - 1, 0);
}

/* Sequence alignment (Smith-Waterman) by diagonals, one team with barriers. */
#include "app.h"

enum { N = 40 };

#pragma omp begin declare target
static int best(const int s[N + 1][N + 1], const char *a, const char *b, int i, int j) {
  int score = s[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
  if (s[i - 1][j] - 1 > score) score = s[i - 1][j] - 1;
  if (s[i][j - 1] - 1 > score) score = s[i][j - 1] - 1;
  return score > 0 ? score : 0;
}
#pragma omp end declare target

APP(align) {
  static int on[N + 1][N + 1], off[N + 1][N + 1];
  static char a[N], b[N];
  unsigned state = 21;
  for (int i = 0; i < N; i++)
    a[i] = "ACGT"[app_next(&state) % 4], b[i] = "ACGT"[app_next(&state) % 4];
#pragma omp target map(to : a, b) map(tofrom : on) thread_limit(32)
#pragma omp parallel
  for (int d = 2; d <= 2 * N; d++) {
#pragma omp for
    for (int i = 1; i <= N; i++)
      if (d - i >= 1 && d - i <= N) on[i][d - i] = best((const int(*)[N + 1]) on, a, b, i, d - i);
  }
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) off[i][j] = best((const int(*)[N + 1]) off, a, b, i, j);
  return memcmp(on, off, sizeof on) != 0;
}

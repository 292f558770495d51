/* Common code of the mini-applications. Each computes on the device and on the host, and compares
 * the results. */
#ifndef SIMT_APP_H
#define SIMT_APP_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defines main(). The block that follows returns the number of wrong results. */
#define APP(name)                                                                                  \
  static int app_##name(void);                                                                     \
  int main(void) {                                                                                 \
    return app_##name() != 0;                                                                      \
  }                                                                                                \
  static int app_##name(void)

#define APP_PRAGMA(...) _Pragma(#__VA_ARGS__)

static int app_failures __attribute__((unused));
#define APP_CHECK(what)                                                                            \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      printf("line %d: %s\n", __LINE__, #what);                                                    \
      app_failures++;                                                                              \
    }                                                                                              \
  } while (0)

static inline unsigned app_next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* Counts elements with a relative difference above the limit. */
static inline int app_differ(const double *a, const double *b, int n, double part) {
  int wrong = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= part * (1 + fabs(b[i]))) && wrong++ == 0)
      printf("  [%d] is %.17g, expected %.17g\n", i, a[i], b[i]);
  return wrong;
}

#endif

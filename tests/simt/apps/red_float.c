/* Floating-point reductions with exact values in any order. */
#include "app.h"

#define REDUCE(type, op, start, expression)                                                        \
  {                                                                                                \
    type on = start, off = start;                                                                  \
    APP_PRAGMA(omp target teams distribute parallel for reduction(op : on) map(tofrom : on)) for (  \
        int i = 0; i < 1 << 11; i++) {                                                             \
      type x = (type)(i % 37) - 11, r = on;                                                        \
      on = expression;                                                                             \
    }                                                                                              \
    for (int i = 0; i < 1 << 11; i++) {                                                            \
      type x = (type)(i % 37) - 11, r = off;                                                       \
      off = expression;                                                                            \
    }                                                                                              \
    if (on != off)                                                                                 \
      wrong++, printf("  %s: %g, expected %g\n", #expression, (double)on, (double)off);            \
  }
#define ALL(type)                                                                                  \
  REDUCE(type, +, 3, r + x)                                                                        \
  REDUCE(type, *, 1, r *(x == 5 ? 2 : x == 7 ? (type)0.5 : 1))                                     \
  REDUCE(type, min, 0, r < x ? r : x)                                                              \
  REDUCE(type, max, 0, r > x ? r : x)

APP(red_float) {
  int wrong = 0;
  ALL(float)
  ALL(double)
  return wrong;
}

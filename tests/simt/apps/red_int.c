/* Integer reductions, all operators and sizes. */
#include "app.h"

#define REDUCE(type, op, start, expression)                                                        \
  {                                                                                                \
    type on = (type)(start), off = (type)(start);                                                  \
    APP_PRAGMA(omp target teams distribute parallel for reduction(op : on) map(tofrom : on)) for (  \
        int i = 0; i < 1000; i++) {                                                                \
      type x = (type)(i * 7 + 3), r = on;                                                          \
      on = (type)(expression);                                                                     \
    }                                                                                              \
    for (int i = 0; i < 1000; i++) {                                                               \
      type x = (type)(i * 7 + 3), r = off;                                                         \
      off = (type)(expression);                                                                    \
    }                                                                                              \
    wrong += on != off;                                                                            \
  }

APP(red_int) {
  int wrong = 0;
  REDUCE(int, +, 5, r + x)
  REDUCE(unsigned, *, 1, r *(x | 1))
  REDUCE(short, &, -1, r &(x | 64))
  REDUCE(long, |, 0, r | (x & 12))
  REDUCE(unsigned long long, ^, 9, r ^ x)
  REDUCE(int, &&, 1, r &&x)
  REDUCE(signed char, ||, 0, r || x == 0)
  REDUCE(long, min, 100, r < x ? r : x)
  REDUCE(unsigned char, max, 0, r > x ? r : x)
  return wrong;
}

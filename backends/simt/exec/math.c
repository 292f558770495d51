/* Calls of C library functions by device code. tools/link_emit.c adds the table of these functions
 * to the program. */
#include "backends/simt/exec/internal.h"

typedef double one(double);
typedef double two(double, double);

typedef struct table {
#define XX(name) one *name;
  SOLO_SIMT_FUNCTIONS_1(XX)
#undef XX
#define XX(name) two *name;
  SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
} table;

extern const table solo_simt_math __attribute__((weak));

double simt_math(simt_function function, double x, double y) {
  if (!&solo_simt_math) {
    simt_report(simt_current_block, simt_current_thread,
                "calls a function of the C library, which the program does not contain");
    simt_current_thread->lane.calls->stop(SIMT_STOP_TRAP, NULL);
  }
  switch (function) {
#define XX(name)                                                                                   \
  case SIMT_MATH_##name:                                                                           \
    return solo_simt_math.name(x);
    SOLO_SIMT_FUNCTIONS_1(XX)
#undef XX
#define XX(name)                                                                                   \
  case SIMT_MATH_##name:                                                                           \
    return solo_simt_math.name(x, y);
    SOLO_SIMT_FUNCTIONS_2(XX)
#undef XX
  }
  return 0;
}

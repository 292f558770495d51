/* The math functions of translated device code (runtime/image/simt.h). */
#include "runtime/image/simt.h"

#include <math.h>

#define XX(name) (void (*)(void)) name,
extern void (*const solo_simt_math[])(void);
void (*const solo_simt_math[])(void) = {SOLO_SIMT_FUNCTIONS_1(XX) SOLO_SIMT_FUNCTIONS_2(XX)};
#undef XX

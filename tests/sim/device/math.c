/* The functions that translated device code may ask for (runtime/image/simt.h). */
#include "runtime/image/simt.h"

#include <math.h>

#define XX(name) (void (*)(void)) name,
extern void (*const solo_simt_math[])(void);
void (*const solo_simt_math[])(void) = {SOLO_SIMT_FUNCTIONS_1(XX) SOLO_SIMT_FUNCTIONS_2(XX)};
#undef XX

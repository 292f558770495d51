/* Steps of array sections. Compilers pass them only in the text of the variable's name. Threads:
 * any; the function only reads its arguments. */
#ifndef SOLO_MAP_SECTION_STEP_H
#define SOLO_MAP_SECTION_STEP_H

#include <stdint.h>

/* Step of a subscript in the name. from_last: its distance from the last subscript. 0: unknown or
 * not constant. */
uint64_t solo_section_step(const char *name, int from_last);

#endif

/* Steps of array sections. Compilers pass them only in the text of the variable's name. */
#ifndef SOLO_MAP_SECTION_STEP_H
#define SOLO_MAP_SECTION_STEP_H

#include <stdint.h>

/* Returns the step of a subscript in the name; 0: unknown or not constant. from_last: distance of
 * the subscript from the last one. */
uint64_t solo_section_step(const char *name, int from_last);

#endif

/* Steps of array sections, which compilers pass on in the variable's text only. Threads: pure. */
#ifndef SOLO_MAP_SECTION_STEP_H
#define SOLO_MAP_SECTION_STEP_H

#include <stdint.h>

/* The step of a subscript, counted from the last one (0). name: as the compiler wrote it (-g), or NULL.
 * 0: not known, or no constant. */
uint64_t solo_section_step(const char *name, int from_last);

#endif

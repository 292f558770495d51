/* Steps of array sections, which compilers pass only in the variable's text. Threads: pure. */
#ifndef SOLO_MAP_SECTION_STEP_H
#define SOLO_MAP_SECTION_STEP_H

#include <stdint.h>

/* from_last: subscripts from the last one (0). 0: unknown or not constant. */
uint64_t solo_section_step(const char *name, int from_last);

#endif

/* Parameters of a C++ function from its mangled name (Itanium C++ ABI, section 5.1).
 *
 * Read are functions of a namespace or none, whose parameters are numbers, pointers and references;
 * not read are templates, classes passed by value and what else has no size of its own.
 * Threads: pure functions.
 */
#ifndef SOLO_IMAGE_MANGLED_H
#define SOLO_IMAGE_MANGLED_H

#include "runtime/base/status.h"

enum { SOLO_MANGLED_MOST = 64 };

/* Sizes in bytes of at most SOLO_MANGLED_MOST parameters; *out_count: how many. NOT_FOUND: not such a
 * name. Added to sizes: what is in a register of its own kind, and what its sign is extended to. */
enum { SOLO_MANGLED_FLOAT = 0x80, SOLO_MANGLED_EXTENDED = 0x40 };
solo_status solo_mangled_parameters(const char *name, uint8_t *out_sizes,
                                    uint32_t *out_count) SOLO_MUST_CHECK;

#endif

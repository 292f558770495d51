/* Parameters of a C++ function, from its mangled name (Itanium C++ ABI, 5.1). Supports functions
 * with numbers, pointers and references; rejects templates and classes by value. */
#ifndef SOLO_IMAGE_MANGLED_H
#define SOLO_IMAGE_MANGLED_H

#include "runtime/base/status.h"

enum { SOLO_MANGLED_MOST = 64 };

/* Writes the sizes of the parameters in bytes. Flags: FLOAT: floating-point type. EXTENDED: the ABI
 * extends the value to an int. NOT_FOUND: the name is not supported. */
enum { SOLO_MANGLED_FLOAT = 0x80, SOLO_MANGLED_EXTENDED = 0x40 };
solo_status solo_mangled_parameters(const char *name, uint8_t *out_sizes,
                                    uint32_t *out_count) SOLO_MUST_CHECK;

#endif

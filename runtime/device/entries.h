/* Entry tables that several libraries share, and error texts for missing kernels. entries_linked.c
 * replaces entries.c in programs with linked images. */
#ifndef SOLO_ENTRIES_H
#define SOLO_ENTRIES_H

#include "runtime/device/module.h"
#include "runtime/image/image.h"

/* Nonzero: another library has the same entry table; its image may contain what this library's
 * image lacks. */
int solo_entries_are_shared(solo_library *library);

/* Fails with NOT_FOUND and the reason: no library is registered, none has entries, or none has the
 * key. */
solo_status solo_entries_missing(const void *key) SOLO_MUST_CHECK SOLO_COLD;

/* Explains why the image lacks a kernel that has an entry. Static text. */
const char *solo_entries_mismatch(const solo_image *image);

#endif

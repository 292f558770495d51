/* Tables of entries that libraries share, and errors for missing kernels. entries_linked.c replaces
 * entries.c in programs with linked images. */
#ifndef SOLO_ENTRIES_H
#define SOLO_ENTRIES_H

#include "runtime/device/module.h"
#include "runtime/image/image.h"

/* Nonzero: another library has the same table, and its image may contain what this one lacks. */
int solo_entries_are_shared(solo_library *library);

/* NOT_FOUND with the reason: nothing registered, no entries, or no such key. */
solo_status solo_entries_missing(const void *key) SOLO_MUST_CHECK SOLO_COLD;

/* Explains why an image lacks a kernel that has an entry. */
const char *solo_entries_mismatch(const solo_image *image);

#endif

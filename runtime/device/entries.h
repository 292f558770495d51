/* Tables of entries that several registered libraries may share, and why an entry has no kernel.
 *
 * Programs whose device code was linked in have entries_linked.c instead of entries.c: there is no
 * other image. Threads: any.
 */
#ifndef SOLO_ENTRIES_H
#define SOLO_ENTRIES_H

#include "runtime/device/module.h"
#include "runtime/image/image.h"

/* Nonzero: another library offers an image for the same table: what one image lacks, it may have. */
int solo_entries_are_shared(solo_library *library);

/* NOT_FOUND, with the mistake that was made: nothing registered, no entries, or none with the key. */
solo_status solo_entries_missing(const void *key) SOLO_MUST_CHECK SOLO_COLD;

/* What to tell the builder of the program when an image lacks a kernel that has an entry. */
const char *solo_entries_mismatch(const solo_image *image);

#endif

/* Entry tables that several libraries share, and error texts for missing kernels. */
#ifndef SOLO_ENTRIES_H
#define SOLO_ENTRIES_H

#include "runtime/device/module.h"
#include "runtime/image/image.h"

/* Returns whether another library has the same entry table. Then an image of that library may
 * contain symbols that this library's image lacks. */
int solo_entries_are_shared(solo_library *library);

/* Fails with NOT_FOUND and the reason: no library is registered, no library has entries, or no
 * entry has the key. */
solo_status solo_entries_missing(const void *key) SOLO_MUST_CHECK SOLO_COLD;

/* Returns a static text: why the image may lack a kernel that has an entry. */
const char *solo_entries_mismatch(const solo_image *image);

#endif

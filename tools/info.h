/* solo-info inside: the images of a file, wherever they are in it.
 *
 * Ownership, threads, errors: as in common.h.
 */
#ifndef SOLO_TOOLS_INFO_H
#define SOLO_TOOLS_INFO_H

#include "runtime/image/image.h"
#include "tools/common.h"

typedef struct solo_found {
  const char *where; /* "section .llvm.offloading" ... */
  solo_span bytes;   /* an image or a container; empty: a linked image */
  const char *text;  /* of a linked image: what it holds */
} solo_found;

typedef struct solo_found_list {
  solo_found *item;
  size_t count;
  const char *reason; /* why the file cannot be read; NULL: it can */
} solo_found_list;

/* Images in an executable, shared object, object file, or the file itself when it is an image or a
 * container. */
solo_found_list solo_info_find(const char *path);

/* Is this process rank 0 of an MPI job, whose other ranks have devices? NULL but in solo-info-openmpi and -mpich. A tool
 * sees no backend's header: this is backends/remote/remote.h's. */
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_is_wanted(void);

#endif

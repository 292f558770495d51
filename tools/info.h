/* Finds the images in a file for solo-info. Ownership, threads, errors: as in common.h. */
#ifndef SOLO_TOOLS_INFO_H
#define SOLO_TOOLS_INFO_H

#include "runtime/image/image.h"
#include "tools/common.h"

typedef struct solo_found {
  const char *where; /* "section .llvm.offloading" ... */
  solo_span bytes;   /* image or container; empty: a linked image */
  const char *text;  /* description of a linked image */
} solo_found;

typedef struct solo_found_list {
  solo_found *item;
  size_t count;
  const char *reason; /* reason for failure; NULL: success */
} solo_found_list;

/* Searches an executable, shared object, object file, image or container. */
solo_found_list solo_info_find(const char *path);

/* True on rank 0 of an MPI job with devices on other ranks. Defined only in solo-info-openmpi and
 * solo-info-mpich. Tools do not include backends/remote/remote.h, so it is declared here. */
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_is_wanted(void);

#endif

/* Images in a file, for solo-info. */
#ifndef SOLO_TOOLS_INFO_H
#define SOLO_TOOLS_INFO_H

#include "runtime/image/image.h"
#include "tools/common.h"

typedef struct solo_found {
  const char *where;
  solo_span bytes;  /* image or container; empty: a linked image */
  const char *text; /* description of a linked image, or NULL */
} solo_found;

typedef struct solo_found_list {
  solo_found *item;
  size_t count;
  const char *reason; /* why the file cannot be read; NULL: success */
} solo_found_list;

/* Prints a section of the troubleshooting page; NULL: the names of all sections. Returns the exit
 * status. */
int solo_info_explain(const char *section);

/* Warns of environment variables with names similar to solo's settings. */
void solo_info_check_variables(void);

solo_found_list solo_info_find(const char *path);

/* Returns whether this is rank 0 of an MPI job with devices. Defined only in solo-info-openmpi and
 * -mpich. Declared here because tools cannot include backends/remote/remote.h. */
SOLO_HIDDEN __attribute__((weak)) int solo_remote_mpi_is_wanted(void);

#endif

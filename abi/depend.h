/* Dependences given to runtime calls themselves: waited for through the runtime that provides host tasks. */
#ifndef SOLO_ABI_DEPEND_H
#define SOLO_ABI_DEPEND_H

#include "abi/tgt_types.h"
#include "runtime/base/platform.h"

/* Waits for the dependences (tgt_depend arrays). Without a host task runtime there are no tasks
 * that could be waited for. */
void tgt_wait_dependences(ident_t *loc, int32_t count, void *list, int32_t noalias_count,
                          void *noalias_list);

/* The same for the depend objects of the omp_*_async functions. */
void tgt_wait_depend_objects(int count, void **objects);

#endif

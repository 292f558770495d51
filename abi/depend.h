/* Waits for dependences of runtime calls. */
#ifndef SOLO_ABI_DEPEND_H
#define SOLO_ABI_DEPEND_H

#include "abi/tgt_types.h"
#include "runtime/base/platform.h"

/* Waits for arrays of tgt_depend. No-op without host tasks. */
void tgt_wait_dependences(ident_t *loc, int32_t count, void *list, int32_t noalias_count,
                          void *noalias_list);

/* Waits for depend objects. */
void tgt_wait_depend_objects(int count, void **objects);

#endif

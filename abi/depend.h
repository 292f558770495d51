/* Waits for the dependences that a compiler or program passes to a function of abi/. */
#ifndef SOLO_ABI_DEPEND_H
#define SOLO_ABI_DEPEND_H

#include "abi/tgt_types.h"
#include "runtime/base/platform.h"

/* Waits for two lists of dependence records (tgt_depend). Returns at once in programs without host tasks. */
void tgt_wait_dependences(ident_t *loc, int32_t count, void *list, int32_t noalias_count,
                          void *noalias_list);

void tgt_wait_depend_objects(int count, void **objects);

#endif

#include "abi/depend.h"

/* defined by abi/kmpc or libomp; NULL in programs without host tasks */
extern int32_t __kmpc_global_thread_num(ident_t *loc) SOLO_WEAK;
extern void __kmpc_omp_wait_deps(ident_t *loc, int32_t gtid, int32_t count, void *list,
                                 int32_t noalias_count, void *noalias_list) SOLO_WEAK;

void tgt_wait_dependences(ident_t *loc, int32_t count, void *list, int32_t noalias_count,
                          void *noalias_list) {
  if ((count <= 0 && noalias_count <= 0) || !__kmpc_omp_wait_deps) return;
  __kmpc_omp_wait_deps(loc, __kmpc_global_thread_num(loc), count, list, noalias_count,
                       noalias_list);
}

/* A depend object is the address of its first record. The record before it, records[-1],
 * contains their number. */
void tgt_wait_depend_objects(int count, void **objects) {
  for (int i = 0; i < count && objects; i++) {
    tgt_depend *records = objects[i];
    if (records) tgt_wait_dependences(NULL, (int32_t)records[-1].address, records, 0, NULL);
  }
}

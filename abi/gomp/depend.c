/* Converts the array of a depend clause. Two formats exist:
 *
 *   total (not 0), count of (out, inout); addresses: (out, inout), then in
 *   0, total, counts of (out, inout), mutexinoutset, in; addresses in this order, then depend objects
 *
 * A depend object has two words: address and type. GCC also passes inoutset as a depend object. The
 * address NULL of an out or inout is omp_all_memory (GCC 13).
 */
#include "abi/gomp/internal.h"
#include "abi/kmpc/task/depend_table.h"

#include <stdlib.h>

enum { TYPE_IN = 1, TYPE_OUT = 2, TYPE_INOUT = 3, TYPE_MUTEX = 4, TYPE_SET = 5 };

void __kmpc_omp_wait_deps(kmpc_ident *loc, int32_t gtid, int32_t count, const kmpc_depend *clauses,
                          int32_t count_noalias, const kmpc_depend *clauses_noalias);

int32_t solo_gomp_depend_count(void **depend) {
  if (!depend) return 0;
  return (int32_t)(uintptr_t)(depend[0] ? depend[0] : depend[1]);
}

static kmpc_depend dependence(void *address, uintptr_t type) {
  kmpc_depend d = {.address = (uintptr_t)address};
  switch (type) {
  case TYPE_IN:
    d.kind = KMPC_DEPEND_IN;
    break;
  case TYPE_MUTEX:
    d.kind = KMPC_DEPEND_MUTEX;
    break;
  case TYPE_SET:
    d.kind = KMPC_DEPEND_SET;
    break;
  default:
    d.kind = address ? KMPC_DEPEND_OUT : KMPC_DEPEND_OUT | KMPC_DEPEND_ALL;
  }
  return d;
}

void solo_gomp_depend_convert(void **depend, kmpc_depend *out) {
  uintptr_t count = (uintptr_t)solo_gomp_depend_count(depend), i = 0;
  uintptr_t outs = (uintptr_t)(depend[0] ? depend[1] : depend[2]);
  uintptr_t mutexes = depend[0] ? 0 : (uintptr_t)depend[3];
  uintptr_t ins = depend[0] ? count - outs : (uintptr_t)depend[4];
  void **address = depend[0] ? depend + 2 : depend + 5;
  for (; i < outs; i++) out[i] = dependence(address[i], TYPE_INOUT);
  for (; i < outs + mutexes; i++) out[i] = dependence(address[i], TYPE_MUTEX);
  for (; i < outs + mutexes + ins; i++) out[i] = dependence(address[i], TYPE_IN);
  for (; i < count; i++) {
    void **object = address[i];
    out[i] = dependence(object[0], (uintptr_t)object[1]);
  }
}

void solo_gomp_depend_wait(void **depend) {
  kmpc_depend few[GOMP_FEW_DEPENDS], *list = few;
  int32_t count = solo_gomp_depend_count(depend);
  if (!count) return;
  if (count > GOMP_FEW_DEPENDS && !(list = malloc((size_t)count * sizeof *list)))
    solo_kmp_fatal("out of memory for %d dependences", (int)count);
  solo_gomp_depend_convert(depend, list);
  __kmpc_omp_wait_deps(NULL, 0, count, list, 0, NULL);
  if (list != few) free(list);
}

/* ICVs and settings of host threads, read once and never freed. Only _Atomic members change. */
#ifndef SOLO_KMPC_ICV_H
#define SOLO_KMPC_ICV_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_WAIT_DEFAULT, KMPC_WAIT_ACTIVE, KMPC_WAIT_PASSIVE };
enum { KMPC_BIND_FALSE, KMPC_BIND_TRUE, KMPC_BIND_PRIMARY, KMPC_BIND_CLOSE, KMPC_BIND_SPREAD };
enum { KMPC_REDUCE_CHOOSE, KMPC_REDUCE_CRITICAL, KMPC_REDUCE_ATOMIC, KMPC_REDUCE_TREE };
/* proc_bind(primary) as compilers pass it; proc_bind(master) is 2 */
enum { KMPC_CLAUSE_PRIMARY = 5 };
enum { KMPC_THREADS_MAX = 32766 };
/* largest team without a tree, on few and on many processors; size of a tree group (team/tree.h) */
enum { KMPC_TREE_ABOVE = 8, KMPC_TREE_ABOVE_ROOMY = 4, KMPC_TREE_WIDTH = 12 };

typedef struct kmpc_config {
  kmpc_icvs initial;
  const kmpc_icvs *initial_icvs;
  int32_t thread_limit;
  int32_t threads_requested; /* product of the numbers in OMP_NUM_THREADS; 0: not set */
  int32_t exact_threads;
  _Atomic int32_t teams;
  _Atomic int32_t teams_threads;
  int32_t wait_policy;
  int32_t cancellation;
  int32_t max_task_priority;
  int32_t target_offload; /* 0 disabled, 1 default, 2 mandatory */
  int32_t display_env;
  int32_t display_affinity;
  int32_t tree_above, tree_width;
  int32_t reduction;
  _Atomic uint64_t stack_size;   /* bytes; 0: not set */
  _Atomic int32_t has_blocktime; /* 0: blocktime_ns has the default value */
  _Atomic uint64_t blocktime_ns; /* spinning time; UINT64_MAX: unlimited */
  const char *places;
  const char *allocator;
  const char *_Atomic affinity_format;
} kmpc_config;

kmpc_config *solo_kmp_config(void);

SOLO_INLINE const char *solo_kmp_affinity_format(const kmpc_config *config) {
  return solo_load_acquire(&config->affinity_format); /* pairs with omp_set_affinity_format */
}

/* Returns the stack size of workers in bytes. Default: as in libomp ulimit -s, but 4 to 64 MiB. */
size_t solo_kmp_stack_size(const kmpc_config *config);

uint64_t solo_kmp_allocator_setting(void);

const kmpc_icvs *solo_kmp_icvs_intern(const kmpc_icvs *value);

/* Returns the ICVs of a nested region: the lists without their first elements. */
const kmpc_icvs *solo_kmp_icvs_child_slow(const kmpc_icvs *icvs);
SOLO_INLINE const kmpc_icvs *solo_kmp_icvs_child(const kmpc_icvs *icvs) {
  if (SOLO_LIKELY(icvs->nthreads_count <= 1 && icvs->proc_bind_count <= 1)) return icvs;
  return solo_kmp_icvs_child_slow(icvs);
}

/* Returns the binding policy of a region. clause: the region's proc_bind clause, or 0.
 * OMP_PROC_BIND=false overrides the clause. */
SOLO_INLINE int32_t solo_kmp_binding(const kmpc_icvs *icvs, int32_t clause) {
  if (clause > 0 && !(icvs->proc_bind_count && icvs->proc_bind[0] == KMPC_BIND_FALSE))
    return clause == KMPC_CLAUSE_PRIMARY ? KMPC_BIND_PRIMARY : clause;
  return icvs->proc_bind_count ? icvs->proc_bind[0] : KMPC_BIND_FALSE;
}

#endif

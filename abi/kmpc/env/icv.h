/* Internal control variables and settings of host threads: where values come from.
 *
 * Ownership: sets and the configuration live for ever. Threads: any; the configuration is read from
 * the environment once, at the first question (no constructor), and does not change but for the
 * fields that omp_set_* changes (marked). Errors: a wrong value gets a warning that names variable,
 * value and what is used instead.
 */
#ifndef SOLO_KMPC_ICV_H
#define SOLO_KMPC_ICV_H

#include "abi/kmpc/kmpc.h"

enum { KMPC_WAIT_DEFAULT, KMPC_WAIT_ACTIVE, KMPC_WAIT_PASSIVE };
enum { KMPC_BIND_FALSE, KMPC_BIND_TRUE, KMPC_BIND_PRIMARY, KMPC_BIND_CLOSE, KMPC_BIND_SPREAD };
enum { KMPC_REDUCE_CHOOSE, KMPC_REDUCE_CRITICAL, KMPC_REDUCE_ATOMIC, KMPC_REDUCE_TREE };
enum { KMPC_CLAUSE_PRIMARY = 5 }; /* proc_bind(primary) as compilers say it; master is 2 */
enum { KMPC_THREADS_MAX = 32766 };
/* team/tree.h. The first is for few processors, which larger teams crowd, and for tasks (task/steal.c). */
enum { KMPC_TREE_ABOVE = 8, KMPC_TREE_ABOVE_ROOMY = 4, KMPC_TREE_WIDTH = 12 };

typedef struct kmpc_config {
  kmpc_icvs initial;              /* ICVs of initial tasks */
  const kmpc_icvs *initial_icvs;  /* the same, interned */
  int32_t thread_limit;           /* OMP_THREAD_LIMIT; INT32_MAX: none */
  int32_t threads_asked;          /* what OMP_NUM_THREADS asks for, on all levels; 0: not said */
  int32_t exact_threads;          /* SOLO_HOST_THREADS=exact */
  _Atomic int32_t teams;          /* OMP_NUM_TEAMS, omp_set_num_teams; 0: not said */
  _Atomic int32_t teams_threads;  /* OMP_TEAMS_THREAD_LIMIT, omp_set_teams_thread_limit */
  int32_t wait_policy;            /* OMP_WAIT_POLICY */
  int32_t cancellation;           /* OMP_CANCELLATION */
  int32_t max_task_priority;      /* OMP_MAX_TASK_PRIORITY */
  int32_t target_offload;         /* OMP_TARGET_OFFLOAD: 0 disabled, 1 default, 2 mandatory */
  int32_t display_env;            /* OMP_DISPLAY_ENV: 0 no, 1 yes, 2 verbose */
  int32_t display_affinity;       /* OMP_DISPLAY_AFFINITY */
  int32_t tree_above, tree_width; /* team/tree.h; the second only in tests */
  int32_t reduction;              /* KMP_FORCE_REDUCTION, KMP_DETERMINISTIC_REDUCTION */
  _Atomic uint64_t
      stack_size; /* OMP_STACKSIZE, KMP_STACKSIZE, kmp_set_stacksize; bytes; 0: not said */
  _Atomic int32_t has_blocktime; /* blocktime_ns was said; 0: it is the default */
  _Atomic uint64_t
      blocktime_ns; /* KMP_BLOCKTIME, kmp_set_blocktime: how long a wait spins; UINT64_MAX: for ever */
  const char *places;                  /* OMP_PLACES; NULL: not said */
  const char *allocator;               /* OMP_ALLOCATOR; NULL: not said */
  const char *_Atomic affinity_format; /* OMP_AFFINITY_FORMAT, omp_set_affinity_format */
} kmpc_config;

/* env/config.c */
kmpc_config *solo_kmp_config(void);

SOLO_INLINE const char *solo_kmp_affinity_format(const kmpc_config *config) {
  return solo_load_acquire(&config->affinity_format); /* pairs with omp_set_affinity_format */
}

/* Bytes of a worker's stack. Not said: what the main thread may have (ulimit -s), as with libomp, so that a
 * private array that fits there fits here; from 4 to 64 MiB. */
size_t solo_kmp_stack_size(const kmpc_config *config);

/* api/alloc_setting.c: the allocator that OMP_ALLOCATOR asks for. */
uint64_t solo_kmp_allocator_setting(void);

/* The interned set equal to value. */
const kmpc_icvs *solo_kmp_icvs_intern(const kmpc_icvs *value);

/* What a parallel region one level further in starts with: the lists without their heads. */
const kmpc_icvs *solo_kmp_icvs_child_slow(const kmpc_icvs *icvs);
SOLO_INLINE const kmpc_icvs *solo_kmp_icvs_child(const kmpc_icvs *icvs) {
  if (SOLO_LIKELY(icvs->nthreads_count <= 1 && icvs->proc_bind_count <= 1)) return icvs;
  return solo_kmp_icvs_child_slow(icvs);
}

/* The binding policy of a region; clause: its proc_bind, not above 0 without one.
 * OMP_PROC_BIND=false goes before clauses. */
SOLO_INLINE int32_t solo_kmp_binding(const kmpc_icvs *icvs, int32_t clause) {
  if (clause > 0 && !(icvs->proc_bind_count && icvs->proc_bind[0] == KMPC_BIND_FALSE))
    return clause == KMPC_CLAUSE_PRIMARY ? KMPC_BIND_PRIMARY : clause;
  return icvs->proc_bind_count ? icvs->proc_bind[0] : KMPC_BIND_FALSE;
}

#endif

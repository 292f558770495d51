/* The configuration: from the settings of host threads (runtime/base/settings.h) to the initial ICVs, once. */
#include "abi/kmpc/env/display.h"
#include "abi/kmpc/env/icv.h"

#include "runtime/base/fork.h"
#include "runtime/base/settings.h"
#include <string.h>

_Static_assert((int)SOLO_SETTING_LIST == (int)KMPC_NTHREADS_LIST,
               "a list of a setting is an ICV's");

static const uint64_t default_blocktime_ns = 5000000;

/* As the standard says, a list asks for nested parallelism of that depth. */
static int32_t levels(const solo_thread_settings_table *s) {
  if (s->max_active_levels >= 0) return (int32_t)s->max_active_levels;
  if (s->nested >= 0) return s->nested ? INT32_MAX : 1;
  return s->num_threads.count > 1 || s->proc_bind.count > 1 ? INT32_MAX : 1;
}

static void read_icvs(const solo_thread_settings_table *s, kmpc_icvs *icvs) {
  icvs->dynamic = s->dynamic;
  icvs->max_active_levels = levels(s);
  icvs->nthreads_count = s->num_threads.count;
  memcpy(icvs->nthreads, s->num_threads.item, sizeof icvs->nthreads);
  icvs->proc_bind_count = s->proc_bind.count;
  memcpy(icvs->proc_bind, s->proc_bind.item, sizeof icvs->proc_bind);
  if (s->places && !icvs->proc_bind_count) { /* OMP_PLACES without a policy binds threads */
    icvs->proc_bind[0] = KMPC_BIND_TRUE;
    icvs->proc_bind_count = 1;
  }
  if (s->affinity) { /* none, compact, scatter: goes before the others, as with libomp */
    icvs->proc_bind[0] = s->affinity == 1 ? KMPC_BIND_FALSE : (int32_t)s->affinity + 1;
    icvs->proc_bind_count = 1;
  }
  int kind = s->schedule.kind & 7;
  icvs->schedule = s->schedule.kind;
  icvs->chunk = s->schedule.chunk ? s->schedule.chunk : kind > 1; /* the default, not static's */
  icvs->default_device = (int32_t)solo_settings()->default_device;
}

/* All threads of nested regions that the list describes; 0: not said. */
static int32_t threads_asked(const solo_setting_list *list) {
  int64_t product = list->count > 0;
  for (int32_t i = 0; i < list->count && product < KMPC_THREADS_MAX; i++) product *= list->item[i];
  return product < KMPC_THREADS_MAX ? (int32_t)product : KMPC_THREADS_MAX;
}

static uint64_t blocktime(const solo_thread_settings_table *s) {
  if (s->blocktime != SOLO_SETTING_UNSAID) return s->blocktime;
  return s->wait_policy == KMPC_WAIT_ACTIVE    ? SOLO_SETTING_FOREVER
         : s->wait_policy == KMPC_WAIT_PASSIVE ? 0
                                               : default_blocktime_ns;
}

static SOLO_COLD void read_settings(kmpc_config *config) {
  static const int32_t policies[] = {
      [SOLO_OFFLOAD_DISABLED] = 0, [SOLO_OFFLOAD_DEFAULT] = 1, [SOLO_OFFLOAD_MANDATORY] = 2};
  const solo_settings_table *core = solo_settings();
  solo_thread_settings_table s;
  solo_thread_settings_read(&s);
  read_icvs(&s, &config->initial);
  config->thread_limit = (int32_t)s.thread_limit;
  config->threads_asked = threads_asked(&s.num_threads);
  config->exact_threads = core->host_threads;
  solo_store_relaxed(&config->teams, (int32_t)core->teams_limit); /* under the lock, and the next */
  solo_store_relaxed(&config->teams_threads, (int32_t)core->thread_limit);
  config->wait_policy = s.wait_policy;
  config->cancellation = s.cancellation;
  config->max_task_priority = (int32_t)s.max_task_priority;
  config->target_offload = policies[core->offload];
  config->display_env = s.display_env;
  config->display_affinity = s.display_affinity;
  config->reduction = s.deterministic ? KMPC_REDUCE_TREE : s.reduction;
  config->tree_above = KMPC_TREE_ABOVE;
#ifdef SOLO_CHECK /* for tests: the tree in small teams, and deep */
  config->tree_above = (int32_t)s.tree_above;
  config->tree_width = (int32_t)s.tree_width;
#endif
  /* under the lock, and the next */
  solo_store_relaxed(&config->stack_size, s.stack_size ? s.stack_size : s.kmp_stack_size);
  solo_store_relaxed(&config->has_blocktime, s.blocktime != SOLO_SETTING_UNSAID);
  solo_store_relaxed(&config->blocktime_ns, blocktime(&s));
  config->places = s.places;
  config->allocator = s.allocator;
  solo_store_relaxed(&config->affinity_format, s.affinity_format); /* under the lock */
}

static kmpc_config config;
static _Atomic int32_t config_ready;
static solo_lock config_lock =
    SOLO_LOCK_INIT(SOLO_RANK_ICV); /* guards the one reading of the environment */

kmpc_config *solo_kmp_config(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&config_ready))) { /* pairs with the release below */
    solo_fork_watch(); /* before any lock of host threads: another thread may fork meanwhile */
    solo_lock_acquire(&config_lock);
    if (!solo_load_relaxed(&config_ready)) { /* the lock orders it */
      read_settings(&config);
      config.initial_icvs = solo_kmp_icvs_intern(&config.initial);
      solo_store_release(&config_ready, 1); /* pairs with the acquire above */
      if (config.display_env) solo_kmp_display(&config, config.display_env - 1);
    }
    solo_lock_release(&config_lock);
  }
  return &config;
}

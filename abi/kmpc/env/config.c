#include "abi/kmpc/env/display.h"
#include "abi/kmpc/env/icv.h"

#include "runtime/base/fork.h"
#include "runtime/base/settings.h"
#include <string.h>

_Static_assert((int)SOLO_SETTING_LIST == (int)KMPC_NTHREADS_LIST,
               "a list of a setting is as long as a list of ICVs");

static const uint64_t default_blocktime_ns = 5000000;

/* As OpenMP specifies, a list for several nesting levels enables nested parallelism. */
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
  icvs->proc_bind_count = (int16_t)s->proc_bind.count;
  memcpy(icvs->proc_bind, s->proc_bind.item, sizeof icvs->proc_bind);
  if (s->places && !icvs->proc_bind_count) { /* OMP_PLACES without a policy binds threads */
    icvs->proc_bind[0] = KMPC_BIND_TRUE;
    icvs->proc_bind_count = 1;
  }
  if (s->affinity) { /* as in libomp, KMP_AFFINITY overrides OMP_PROC_BIND */
    icvs->proc_bind[0] = s->affinity == 1 ? KMPC_BIND_FALSE : (int32_t)s->affinity + 1;
    icvs->proc_bind_count = 1;
  }
  int kind = s->schedule.kind & 7;
  icvs->schedule = s->schedule.kind;
  /* the default chunk is 1, except for static */
  icvs->chunk = s->schedule.chunk ? s->schedule.chunk : kind > 1;
  icvs->default_device = (int32_t)solo_settings()->default_device;
}

static int32_t threads_requested(const solo_setting_list *list) {
  int64_t product = list->count > 0;
  for (int32_t i = 0; i < list->count && product < KMPC_THREADS_MAX; i++) product *= list->item[i];
  return product < KMPC_THREADS_MAX ? (int32_t)product : KMPC_THREADS_MAX;
}

static uint64_t blocktime(const solo_thread_settings_table *s) {
  if (s->blocktime != SOLO_SETTING_UNSET) return s->blocktime;
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
  config->threads_requested = threads_requested(&s.num_threads);
  config->exact_threads = core->host_threads;
  /* relaxed, all: config_ready publishes the configuration */
  solo_store_relaxed(&config->teams, (int32_t)core->teams_limit);
  solo_store_relaxed(&config->teams_threads, (int32_t)core->thread_limit);
  config->wait_policy = s.wait_policy;
  config->cancellation = s.cancellation;
  config->max_task_priority = (int32_t)s.max_task_priority;
  config->target_offload = policies[core->offload];
  config->display_env = s.display_env;
  config->display_affinity = s.display_affinity;
  config->reduction = s.deterministic ? KMPC_REDUCE_TREE : s.reduction;
  config->tree_above = KMPC_TREE_ABOVE;
#ifdef SOLO_CHECK
  config->tree_above = (int32_t)s.tree_above;
  config->tree_width = (int32_t)s.tree_width;
#endif
  /* relaxed: config_ready publishes */
  solo_store_relaxed(&config->stack_size, s.stack_size ? s.stack_size : s.kmp_stack_size);
  solo_store_relaxed(&config->has_blocktime, s.blocktime != SOLO_SETTING_UNSET);
  solo_store_relaxed(&config->blocktime_ns, blocktime(&s));
  config->places = s.places;
  config->allocator = s.allocator;
  solo_store_relaxed(&config->affinity_format, s.affinity_format);
}

static kmpc_config config;
static _Atomic int32_t config_ready;
static solo_lock config_lock = SOLO_LOCK_INIT(SOLO_RANK_ICV);

kmpc_config *solo_kmp_config(void) {
  if (SOLO_UNLIKELY(!solo_load_acquire(&config_ready))) { /* pairs with solo_kmp_config */
    /* before this thread locks, because another thread may call fork(2) while the lock is locked */
    solo_fork_install_handlers();
    solo_lock_acquire(&config_lock);
    if (!solo_load_relaxed(&config_ready)) { /* relaxed: stored under the lock */
      read_settings(&config);
      config.initial_icvs = solo_kmp_icvs_intern(&config.initial);
      /* Invariant: the configuration is complete when config_ready is 1.
       * Ordering:  this release store pairs with the acquire load in solo_kmp_config().
       * Otherwise: a thread could use a setting of 0.
       */
      solo_store_release(&config_ready, 1);
      if (config.display_env) solo_kmp_display(&config, config.display_env - 1);
    }
    solo_lock_release(&config_lock);
  }
  return &config;
}

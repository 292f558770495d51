#include "abi/kmpc/env/display.h"

#include <stdio.h>
#include <string.h>

static const char *yes(int32_t on) {
  return on ? "TRUE" : "FALSE";
}

static void show_list(const char *name, const int32_t *list, int32_t count, const char *none) {
  static const char *const binds[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
  int is_bind = strcmp(name, "OMP_PROC_BIND") == 0;
  fprintf(stderr, "  [host] %s='", name);
  for (int32_t i = 0; i < count; i++) {
    if (i) fputc(',', stderr);
    if (is_bind)
      fputs(binds[list[i]], stderr);
    else
      fprintf(stderr, "%d", list[i]);
  }
  fprintf(stderr, "%s'\n", count ? "" : none);
}

static void show(const char *name, long long value) {
  fprintf(stderr, "  [host] %s='%lld'\n", name, value);
}

static void show_text(const char *name, const char *value) {
  fprintf(stderr, "  [host] %s='%s'\n", name, value);
}

static void show_schedule(const kmpc_icvs *icvs) {
  static const char *const kinds[] = {"", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  fprintf(stderr, "  [host] OMP_SCHEDULE='%s%s", icvs->schedule < 0 ? "MONOTONIC:" : "",
          kinds[icvs->schedule & 7]);
  if (icvs->chunk) fprintf(stderr, ",%d", icvs->chunk);
  fputs("'\n", stderr);
}

void solo_kmp_display(const kmpc_config *config, int verbose) {
  static const char *const policies[] = {"DISABLED", "DEFAULT", "MANDATORY"};
  const kmpc_icvs *icvs = &config->initial;
  fputs("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP='202011'\n", stderr);
  show_text("OMP_AFFINITY_FORMAT", solo_kmp_affinity_format(config));
  show_text("OMP_ALLOCATOR", config->allocator ? config->allocator : "omp_default_mem_alloc");
  show_text("OMP_CANCELLATION", yes(config->cancellation));
  show("OMP_DEFAULT_DEVICE", icvs->default_device);
  show_text("OMP_DISPLAY_AFFINITY", yes(config->display_affinity));
  show_text("OMP_DYNAMIC", yes(icvs->dynamic));
  show("OMP_MAX_ACTIVE_LEVELS", icvs->max_active_levels);
  show("OMP_MAX_TASK_PRIORITY", config->max_task_priority);
  show("OMP_NUM_TEAMS", solo_load_relaxed(&config->teams)); /* relaxed: a setting */
  show_list("OMP_NUM_THREADS", icvs->nthreads, icvs->nthreads_count, "");
  show_text("OMP_PLACES", config->places ? config->places : "");
  show_list("OMP_PROC_BIND", icvs->proc_bind, icvs->proc_bind_count, "FALSE");
  show_schedule(icvs);
  show("OMP_STACKSIZE", (long long)solo_kmp_stack_size(config));
  show_text("OMP_TARGET_OFFLOAD", policies[config->target_offload]);
  show("OMP_TEAMS_THREAD_LIMIT", solo_load_relaxed(&config->teams_threads));
  show("OMP_THREAD_LIMIT", config->thread_limit);
  show_text("OMP_WAIT_POLICY", config->wait_policy == KMPC_WAIT_ACTIVE ? "ACTIVE" : "PASSIVE");
  if (verbose) {
    uint64_t blocktime_ns = solo_load_relaxed(&config->blocktime_ns); /* relaxed: a setting */
    show("KMP_BLOCKTIME", blocktime_ns == UINT64_MAX ? -1 : (long long)(blocktime_ns / 1000000));
    show("KMP_FORCE_REDUCTION", config->reduction);
  }
  fputs("OPENMP DISPLAY ENVIRONMENT END\n", stderr);
}

/* Reads and shows the environment variables of host threads. */
#include "abi/kmpc/env/icv.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* XX(variable, reader, default in words, meaning): in the order in which they are read and shown.
 */
#define VARIABLES(XX)                                                                              \
  XX("OMP_DYNAMIC", dynamic, "false", "true or false")                                             \
  XX("OMP_MAX_ACTIVE_LEVELS", max_active_levels, "1", "a number from 0 up")                        \
  XX("OMP_NESTED", nested, "false", "true or false")                                               \
  XX("OMP_NUM_THREADS", num_threads, "the number of processors",                                   \
     "positive numbers, separated by commas")                                                      \
  XX("OMP_PROC_BIND", proc_bind, "false",                                                          \
     "true, false, or a list of primary, master, close, spread")                                   \
  XX("OMP_SCHEDULE", schedule, "static",                                                           \
     "[monotonic:|nonmonotonic:](static|dynamic|guided|auto)[,chunk], chunk positive")             \
  XX("OMP_DEFAULT_DEVICE", default_device, "0", "a device number from 0 up")                       \
  XX("OMP_THREAD_LIMIT", thread_limit, "no limit", "a positive number")                            \
  XX("OMP_NUM_TEAMS", teams, "1 where not said", "a positive number")                              \
  XX("OMP_TEAMS_THREAD_LIMIT", teams_threads, "no limit", "a positive number")                     \
  XX("OMP_WAIT_POLICY", wait_policy, "to spin, then sleep", "active or passive")                   \
  XX("KMP_BLOCKTIME", blocktime, "5 ms", "a number of ms (or with us, ms, s), or infinite")        \
  XX("OMP_STACKSIZE", stack_size, "4M", "size[B|K|M|G], K without a letter")                       \
  XX("KMP_STACKSIZE", kmp_stack_size, "4M", "size[B|K|M|G], bytes without a letter")               \
  XX("OMP_CANCELLATION", cancellation, "false", "true or false")                                   \
  XX("OMP_MAX_TASK_PRIORITY", max_task_priority, "0", "a number from 0 up")                        \
  XX("OMP_PLACES", places, "cores", "threads, cores, ..., sockets or a list of places")            \
  XX("OMP_DISPLAY_AFFINITY", display_affinity, "false", "true or false")                           \
  XX("OMP_AFFINITY_FORMAT", affinity_format, "the default format", "text")                         \
  XX("OMP_TARGET_OFFLOAD", target_offload, "default", "default, disabled or mandatory")            \
  XX("OMP_ALLOCATOR", allocator, "omp_default_mem_alloc", "a predefined allocator")                \
  XX("KMP_FORCE_REDUCTION", reduction, "the method that fits", "critical, atomic or tree")         \
  XX("KMP_DETERMINISTIC_REDUCTION", deterministic, "false", "true or false")                       \
  XX("OMP_DISPLAY_ENV", display_env, "false", "true, false or verbose")

/* --- readers: each returns 0 when the text is no value of its kind ----------------------------*/

static const char *skip(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

static int read_number(const char *text, long long least, long long most, long long *out) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || *skip(end) || value < least || (value > most && most < INT_MAX)) return 0;
  *out = value > most || errno ? most : value; /* too large is as large as can be */
  return 1;
}

static int read_int32(const char *text, int32_t least, int32_t *out) {
  long long value;
  if (!read_number(text, least, INT_MAX, &value)) return 0;
  *out = (int32_t)value;
  return 1;
}

/* Is text the word, case aside and with blanks around? */
static int is(const char *text, const char *word) {
  text = skip(text);
  size_t n = strlen(word);
  return strncasecmp(text, word, n) == 0 && !*skip(text + n);
}

static int read_flag(const char *text, int32_t *out) {
  if (is(text, "true") || is(text, "1") || is(text, "yes") || is(text, "on"))
    *out = 1;
  else if (is(text, "false") || is(text, "0") || is(text, "no") || is(text, "off"))
    *out = 0;
  else
    return 0;
  return 1;
}

static int read_size(const char *text, int default_shift, uint64_t *out) {
  char *end;
  errno = 0;
  text = skip(text);
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || *text == '-' || errno) return 0;
  end = (char *)skip(end);
  int shift = default_shift;
  switch (*end | 0x20) {
  case 'b':
    shift = 0, end++;
    break;
  case 'k':
    shift = 10, end++;
    break;
  case 'm':
    shift = 20, end++;
    break;
  case 'g':
    shift = 30, end++;
    break;
  }
  if (*skip(end) || !value || value > UINT64_MAX >> shift) return 0;
  *out = (uint64_t)value << shift;
  return 1;
}

static int env_dynamic(kmpc_config *c, const char *text) {
  return read_flag(text, &c->initial.dynamic);
}

static int env_max_active_levels(kmpc_config *c, const char *text) {
  return read_int32(text, 0, &c->initial.max_active_levels);
}

static int env_nested(kmpc_config *c, const char *text) {
  int32_t on;
  if (!read_flag(text, &on)) return 0;
  if (!getenv("OMP_MAX_ACTIVE_LEVELS")) c->initial.max_active_levels = on ? INT_MAX : 1;
  return 1;
}

/* Calls item for each part between commas. What is beyond the list must be right, too, and is left
 * out: so deep regions are like the last level that is kept. */
static int read_list(const char *text, int32_t *list, int32_t *count,
                     int (*item)(const char *, int32_t *)) {
  char part[64];
  int32_t values[KMPC_NTHREADS_LIST + 1];
  int32_t n = 0;
  for (;;) {
    size_t length = strcspn(text, ",");
    if (length >= sizeof part) return 0;
    memcpy(part, text, length);
    part[length] = 0;
    if (!item(part, &values[n])) return 0;
    if (n < KMPC_NTHREADS_LIST) n++;
    if (!text[length]) break;
    text += length + 1;
  }
  memcpy(list, values, (size_t)n * sizeof *list);
  *count = n;
  return 1;
}

static int thread_count(const char *text, int32_t *out) {
  return read_int32(text, 1, out);
}

/* As the standard has it: a list asks for nested parallelism of that depth. */
static void nest_as_listed(kmpc_config *c, int32_t count) {
  if (count > 1 && c->initial.max_active_levels < count && !getenv("OMP_MAX_ACTIVE_LEVELS") &&
      !getenv("OMP_NESTED"))
    c->initial.max_active_levels = INT_MAX;
}

static int env_num_threads(kmpc_config *c, const char *text) {
  if (!read_list(text, c->initial.nthreads, &c->initial.nthreads_count, thread_count)) return 0;
  nest_as_listed(c, c->initial.nthreads_count);
  return 1;
}

static int bind_word(const char *text, int32_t *out) {
  if (is(text, "primary") || is(text, "master"))
    *out = KMPC_BIND_PRIMARY;
  else if (is(text, "close"))
    *out = KMPC_BIND_CLOSE;
  else if (is(text, "spread"))
    *out = KMPC_BIND_SPREAD;
  else
    return 0;
  return 1;
}

static int env_proc_bind(kmpc_config *c, const char *text) {
  int32_t on;
  if (read_flag(text, &on)) {
    c->initial.proc_bind[0] = on ? KMPC_BIND_TRUE : KMPC_BIND_FALSE;
    c->initial.proc_bind_count = 1;
    return 1;
  }
  if (!read_list(text, c->initial.proc_bind, &c->initial.proc_bind_count, bind_word)) return 0;
  nest_as_listed(c, c->initial.proc_bind_count);
  return 1;
}

static int env_schedule(kmpc_config *c, const char *text) {
  static const char *const kinds[] = {"static", "dynamic", "guided", "auto"};
  uint32_t modifier = 0;
  text = skip(text);
  if (strncasecmp(text, "monotonic:", 10) == 0)
    modifier = 0x80000000u, text += 10;
  else if (strncasecmp(text, "nonmonotonic:", 13) == 0)
    text += 13;
  size_t length = strcspn(text, ",");
  char kind[32];
  if (length >= sizeof kind) return 0;
  memcpy(kind, text, length);
  kind[length] = 0;
  int32_t chunk = 0;
  if (text[length] && !read_int32(text + length + 1, 1, &chunk)) return 0;
  for (int i = 0; i < 4; i++) {
    if (!is(kind, kinds[i])) continue;
    c->initial.schedule = (int32_t)((uint32_t)(i + 1) | modifier);
    int is_taken = strcmp(kinds[i], "dynamic") == 0 || strcmp(kinds[i], "guided") == 0;
    c->initial.chunk = chunk > 0 ? chunk : is_taken; /* the default chunk */
    return 1;
  }
  return 0;
}

static int env_default_device(kmpc_config *c, const char *text) {
  return read_int32(text, 0, &c->initial.default_device);
}

static int env_thread_limit(kmpc_config *c, const char *text) {
  return read_int32(text, 1, &c->thread_limit);
}

static int read_atomic(const char *text, _Atomic int32_t *out) {
  int32_t value;
  if (!read_int32(text, 1, &value)) return 0;
  solo_store_relaxed(out, value); /* under the configuration's lock */
  return 1;
}

static int env_teams(kmpc_config *c, const char *text) {
  return read_atomic(text, &c->teams);
}

static int env_teams_threads(kmpc_config *c, const char *text) {
  return read_atomic(text, &c->teams_threads);
}

static int env_wait_policy(kmpc_config *c, const char *text) {
  if (is(text, "active"))
    c->wait_policy = KMPC_WAIT_ACTIVE, c->blocktime_ns = UINT64_MAX;
  else if (is(text, "passive"))
    c->wait_policy = KMPC_WAIT_PASSIVE, c->blocktime_ns = 0;
  else
    return 0;
  return 1;
}

static int env_blocktime(kmpc_config *c, const char *text) {
  if (is(text, "infinite")) {
    c->blocktime_ns = UINT64_MAX;
    return 1;
  }
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || value < 0 || errno) return 0;
  uint64_t unit = 1000000;
  if (is(end, "us"))
    unit = 1000;
  else if (is(end, "s"))
    unit = 1000000000;
  else if (!is(end, "ms") && *skip(end))
    return 0;
  c->blocktime_ns = value > INT_MAX ? UINT64_MAX : (uint64_t)value * unit;
  return 1;
}

static int env_stack_size(kmpc_config *c, const char *text) {
  return read_size(text, 10, &c->stack_size);
}

static int env_kmp_stack_size(kmpc_config *c, const char *text) {
  uint64_t size;
  if (!read_size(text, 0, &size)) return 0;
  if (!getenv("OMP_STACKSIZE")) c->stack_size = size;
  return 1;
}

static int env_cancellation(kmpc_config *c, const char *text) {
  return read_flag(text, &c->cancellation);
}

static int env_max_task_priority(kmpc_config *c, const char *text) {
  return read_int32(text, 0, &c->max_task_priority);
}

static int env_places(kmpc_config *c, const char *text) {
  c->places = text; /* affinity.c reads it when threads are first placed */
  return 1;
}

static int env_display_affinity(kmpc_config *c, const char *text) {
  return read_flag(text, &c->display_affinity);
}

static int env_affinity_format(kmpc_config *c, const char *text) {
  c->affinity_format = text;
  return 1;
}

static int env_target_offload(kmpc_config *c, const char *text) {
  if (is(text, "disabled"))
    c->target_offload = 0;
  else if (is(text, "default"))
    c->target_offload = 1;
  else if (is(text, "mandatory"))
    c->target_offload = 2;
  else
    return 0;
  return 1;
}

static int env_allocator(kmpc_config *c, const char *text) {
  static const char *const names[] = {"omp_default_mem_alloc", "omp_large_cap_mem_alloc",
                                      "omp_const_mem_alloc",   "omp_high_bw_mem_alloc",
                                      "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",
                                      "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (!is(text, names[i])) continue;
    c->initial.allocator = i + 1;
    return 1;
  }
  return 0;
}

static int env_reduction(kmpc_config *c, const char *text) {
  static const char *const words[] = {"critical", "atomic", "tree"};
  for (int i = 0; i < 3; i++)
    if (is(text, words[i])) return c->reduction = KMPC_REDUCE_CRITICAL + i;
  return 0;
}

static int env_deterministic(kmpc_config *c, const char *text) {
  int32_t on;
  if (!read_flag(text, &on)) return 0;
  if (on) c->reduction = KMPC_REDUCE_TREE;
  return 1;
}

static int env_display_env(kmpc_config *c, const char *text) {
  if (is(text, "verbose"))
    c->display_env = 2;
  else
    return read_flag(text, &c->display_env);
  return 1;
}

static const struct {
  const char *name;
  int (*read)(kmpc_config *config, const char *text); /* 0: no value of its kind */
  const char *initial, *meaning;
} variables[] = {
#define XX(variable, reader, initial, meaning) {variable, env_##reader, initial, meaning},
    VARIABLES(XX)
#undef XX
};

void solo_kmp_env_read(kmpc_config *config) {
  config->initial.max_active_levels = 1;
  config->initial.schedule = 1;  /* static */
  config->initial.allocator = 1; /* omp_default_mem_alloc */
  config->thread_limit = INT32_MAX;
  config->target_offload = 1;
  config->stack_size = 4 << 20; /* musl's own default is too small for private arrays */
  config->blocktime_ns = 5000000;
  config->affinity_format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *text = getenv(variables[i].name);
    if (text && *skip(text) && !variables[i].read(config, text))
      solo_kmp_warn("%s=\"%s\" is not understood (%s); used instead: %s", variables[i].name, text,
                    variables[i].meaning, variables[i].initial);
  }
  if (config->places && !config->initial.proc_bind_count) { /* places are there to be used */
    config->initial.proc_bind[0] = KMPC_BIND_TRUE;
    config->initial.proc_bind_count = 1;
  }
}

/* All environment variables of the libraries, one row each.
 *
 * The environment is read once, at the first access, after main() begins. An invalid value is
 * reported once and ignored. A process with AT_SECURE reads OMP_* and KMP_* only, because none of
 * these variables names a file or program, prints addresses or disables a check.
 *
 * Threads: any. */
#ifndef SOLO_BASE_SETTINGS_H
#define SOLO_BASE_SETTINGS_H

#include "runtime/base/platform.h"
#include <stdbool.h>
#include <stdio.h>

typedef enum solo_offload_policy {
  SOLO_OFFLOAD_DEFAULT,
  SOLO_OFFLOAD_DISABLED,
  SOLO_OFFLOAD_MANDATORY,
} solo_offload_policy;

enum { SOLO_SETTING_LIST = 8 };
#define SOLO_SETTING_FOREVER    UINT64_MAX
#define SOLO_SETTING_UNSET      (UINT64_MAX - 1)
#define SOLO_STACK_INITIAL_TEXT "ulimit -s, 4M to 64M"
#define SOLO_MOST_STACK         (INT64_C(64) << 30)

typedef struct solo_setting_list {
  int32_t count;
  int32_t item[SOLO_SETTING_LIST];
} solo_setting_list;

typedef struct solo_setting_schedule {
  int32_t kind; /* 1 static, 2 dynamic, 3 guided, 4 auto; bit 31: monotonic */
  int32_t chunk;
} solo_setting_schedule;

#define SOLO_SCHEDULE_STATIC                                                                       \
  { .kind = 1, .chunk = 0 }

/* In column `words` below, the value of word number p is p % (most + 1). An empty word matches no
 * text; its value represents an unset variable. */
#define SOLO_WORDS_FLAG "false|true|0|1|no|yes|off|on"

/* XX(field, variable, kind, words, least, most, initial value, initial value as text, meaning)
 *
 * The kind is one of:
 *   int       64 bits, decimal or 0x...
 *   word      an int
 *   size      bytes, with b, k, m, g; ksize: KiB without a letter
 *   time      ns; text: number[us|ms|s], default unit ms, or infinite
 *   list      integers, separated by commas; binds: words of OMP_PROC_BIND, or a flag
 */
#define SOLO_SETTINGS_MAP(XX)                                                                      \
  XX(offload, "OMP_TARGET_OFFLOAD", word, "default|disabled|mandatory", 0, 2,                      \
     SOLO_OFFLOAD_DEFAULT, "default", "default, disabled or mandatory")                            \
  XX(default_device, "OMP_DEFAULT_DEVICE", int, NULL, 0, INT32_MAX, 0, "0",                        \
     "a device number, 0 or more, for constructs without a device clause")                         \
  XX(teams_limit, "OMP_NUM_TEAMS", int, NULL, 1, INT32_MAX, 0, "1 if not set",                     \
     "a positive number: upper bound of the number of teams")                                      \
  XX(thread_limit, "OMP_TEAMS_THREAD_LIMIT", int, NULL, 1, INT32_MAX, 0, "no limit",               \
     "a positive number: upper bound of threads per team")                                         \
  XX(info, "LIBOMPTARGET_INFO", int, NULL, -1, INT64_MAX, 0, "0",                                  \
     "bit mask of messages on stderr; -1: all")                                                    \
  XX(profile, "LIBOMPTARGET_PROFILE", text, NULL, 0, 0, NULL, "none",                              \
     "file for a trace of constructs, kernels and copies (chrome://tracing, Perfetto)")            \
  XX(profile_granularity, "LIBOMPTARGET_PROFILE_GRANULARITY", int, NULL, 0, INT64_MAX, 0, "0",     \
     "shorter events are left out of the trace, us")                                               \
  XX(debug, "SOLO_DEBUG", int, NULL, 0, 9, 0, "0",                                                 \
     "0: none, 1: decisions, 2: also redirected functions of CPU images")                          \
  XX(debug_alias, "LIBOMPTARGET_DEBUG", int, NULL, 0, INT64_MAX, 0, "0", "same as SOLO_DEBUG")     \
  XX(pool_threshold, "LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", size, NULL, 0, INT64_MAX, 1 << 20,   \
     "1m", "largest device block that is kept for reuse, bytes; 0: none")                          \
  XX(attach_always, "LIBOMPTARGET_TREAT_ATTACH_AUTO_AS_ALWAYS", word, SOLO_WORDS_FLAG, 0, 1, 0,    \
     "off", "attach pointers even if neither side is newly mapped")                                \
  XX(host_devices, "SOLO_HOST_DEVICES", int, NULL, 0, 64, 1, "1", "number of CPU devices")         \
  XX(host_memory, "SOLO_HOST_MEMORY", word, "separate|shared", 0, 1, 0, "separate",                \
     "separate: CPU devices have separate memory; shared: map clauses copy nothing")               \
  XX(host_threads, "SOLO_HOST_THREADS", word, "processors|exact", 0, 1, 0, "processors",           \
     "exact: CPU devices start exactly the requested number of threads")                           \
  XX(perf_map, "SOLO_PERF_MAP", word, SOLO_WORDS_FLAG, 0, 1, 0, "off",                             \
     "write a perf map file for embedded CPU images")

/* For devices other than the CPU. In a CPU-only library these fields have the initial values. */
#define SOLO_DEVICE_SETTINGS_MAP(XX)                                                               \
  XX(stack_size, "LIBOMPTARGET_STACK_SIZE", size, NULL, 0, INT64_MAX, 0, "0",                      \
     "device stack per thread, bytes; 0: driver's")                                                \
  XX(heap_size, "LIBOMPTARGET_HEAP_SIZE", size, NULL, 0, INT64_MAX, 0, "0",                        \
     "device heap, bytes; 0: driver's")                                                            \
  XX(shared_size, "LIBOMPTARGET_SHARED_MEMORY_SIZE", size, NULL, 0, INT64_MAX, 0, "0",             \
     "extra dynamic shared bytes")                                                                 \
  XX(min_threads, "LIBOMPTARGET_MIN_THREADS_FOR_LOW_TRIP_COUNT", int, NULL, 0, INT64_MAX, 32,      \
     "32", "fewest threads per team for short loops on a GPU")                                     \
  XX(reuse_blocks, "LIBOMPTARGET_REUSE_BLOCKS_FOR_HIGH_TRIP_COUNT", word, SOLO_WORDS_FLAG, 0, 1,   \
     1, "on", "cap the number of teams for long loops on a GPU")                                   \
  XX(device_debug, "LIBOMPTARGET_DEVICE_RTL_DEBUG", int, NULL, INT32_MIN, INT64_MAX, 0, "0",       \
     "debug bits of the device runtime")                                                           \
  XX(spin_us, "SOLO_SPIN_US", int, NULL, 0, INT64_C(3600000000), 2000, "2000",                     \
     "time for which a wait for a GPU spins before it sleeps, us")                                 \
  XX(staging_threshold, "SOLO_STAGING_THRESHOLD", size, NULL, 0, INT64_MAX, 0, "0",                \
     "CUDA: smallest copy of pageable memory that uses pinned buffers, bytes; 0: none")            \
  XX(staging_bytes, "SOLO_STAGING_BYTES", size, NULL, 0, INT64_MAX, 4 << 20, "4m",                 \
     "CUDA: bytes of each of the two pinned buffers of a queue")                                   \
  XX(cuda_graphs, "SOLO_CUDA_GRAPHS", word, SOLO_WORDS_FLAG, 0, 1, 1, "on",                        \
     "CUDA: launch repeated kernels as graphs")                                                    \
  XX(apu_maps, "OMPX_APU_MAPS", word, SOLO_WORDS_FLAG, 0, 1, 0, "off",                             \
     "map without copies on AMD GPUs with xnack, APU or not")                                      \
  XX(hsa_carry, "SOLO_HSA_CARRY", size, NULL, 0, INT64_MAX, 0, "0",                                \
     "AMD: largest firstprivate data passed with the arguments, in host memory, bytes")

#define SOLO_SERVER_SETTINGS_MAP(XX)                                                               \
  XX(server, "SOLO_SERVER", text, NULL, 0, 0, NULL,                                                \
     "solo-server in the program's folder or installed",                                           \
     "device servers, separated by commas: a program, or @NAME of one that runs (solo-server "     \
     "--listen=NAME)")                                                                             \
  XX(backends, "SOLO_SERVER_BACKENDS", text, NULL, 0, 0, NULL,                                     \
     "cuda,hsa; none if the program has drivers",                                                  \
     "backends that a device server provides: cuda, hsa, host, separated by commas")               \
  XX(shared_memory, "SOLO_SERVER_SHARED_MEMORY", word, SOLO_WORDS_FLAG, 0, 1, 1, "on",             \
     "off: use MPI also for ranks of an MPI job on the program's machine")

#define SOLO_SIMT_SETTINGS_MAP(XX)                                                                 \
  XX(target, "SIMT_TARGET", text, NULL, 0, 0, NULL, "none",                                        \
     "sm_90, gfx90a: create a virtual GPU of this kind even without an image for it")              \
  XX(workers, "SIMT_WORKERS", int, NULL, 1, 4096, 0, "the number of processors",                   \
     "a positive number: host threads that run blocks of a virtual GPU")                           \
  XX(seed, "SIMT_SEED", int, NULL, 0, INT64_MAX, 0, "0",                                           \
     "seed of the order of threads, warps and blocks; 0: ascending order")                         \
  XX(race_status, "SIMT_RACE_STATUS", int, NULL, 0, 255, 0, "0",                                   \
     "exit status of a process with data races; 0: unchanged")

#define SOLO_GOMP_SETTINGS_MAP(XX)                                                                 \
  XX(device, "SOLO_GOMP_DEVICE", word, SOLO_WORDS_FLAG, 0, 1, 0, "off",                            \
     "on: target regions of GCC's objects use the CPU device, also without images of Clang")

#define SOLO_REX_IMAGE_VARIABLE "REX_CUBIN_NAME"
#define SOLO_REX_SETTINGS_MAP(XX)                                                                  \
  XX(image, SOLO_REX_IMAGE_VARIABLE, text, NULL, 0, 0, NULL, "the program's",                      \
     "image file for a program lowered by REX")

/* For abi/kmpc. The values -1, 0 and SOLO_SETTING_UNSET represent an unset variable. */
#define SOLO_THREAD_SETTINGS_MAP(XX)                                                               \
  XX(dynamic, "OMP_DYNAMIC", word, SOLO_WORDS_FLAG, 0, 1, 0, "false", "true or false")             \
  XX(max_active_levels, "OMP_MAX_ACTIVE_LEVELS", int, NULL, 0, INT32_MAX, -1, "1",                 \
     "a number, 0 or more")                                                                        \
  XX(nested, "OMP_NESTED", word, SOLO_WORDS_FLAG, 0, 1, -1, "false", "true or false")              \
  XX(num_threads, "OMP_NUM_THREADS", list, NULL, 1, 32766, {0}, "the number of processors",        \
     "positive numbers up to 32766, separated by commas")                                          \
  XX(proc_bind, "OMP_PROC_BIND", binds, NULL, 0, 0, {0}, "false",                                  \
     "true, false, or a list of primary, master, close, spread")                                   \
  XX(schedule, "OMP_SCHEDULE", schedule, NULL, 0, 0, SOLO_SCHEDULE_STATIC, "static",               \
     "[monotonic:|nonmonotonic:](static|dynamic|guided|auto)[,chunk of 1 or more]")                \
  XX(thread_limit, "OMP_THREAD_LIMIT", int, NULL, 1, INT32_MAX, INT32_MAX, "no limit",             \
     "a positive number")                                                                          \
  XX(wait_policy, "OMP_WAIT_POLICY", word, "|active|passive", 0, 2, 0, "spin, then sleep",         \
     "active or passive")                                                                          \
  XX(blocktime, "KMP_BLOCKTIME", time, NULL, 0, 0, SOLO_SETTING_UNSET, "5 ms",                     \
     "time[us|ms|s], default unit ms, or infinite")                                                \
  XX(stack_size, "OMP_STACKSIZE", ksize, NULL, 1, SOLO_MOST_STACK, 0, SOLO_STACK_INITIAL_TEXT,     \
     "size[B|K|M|G], default unit K, up to 64G")                                                   \
  XX(kmp_stack_size, "KMP_STACKSIZE", size, NULL, 1, SOLO_MOST_STACK, 0, SOLO_STACK_INITIAL_TEXT,  \
     "size[B|K|M|G], up to 64G")                                                                   \
  XX(cancellation, "OMP_CANCELLATION", word, SOLO_WORDS_FLAG, 0, 1, 0, "false", "true or false")   \
  XX(max_task_priority, "OMP_MAX_TASK_PRIORITY", int, NULL, 0, INT32_MAX, 0, "0",                  \
     "a number, 0 or more")                                                                        \
  XX(places, "OMP_PLACES", text, NULL, 0, 0, NULL, "cores", "places")                              \
  XX(affinity, "KMP_AFFINITY", word, "|none|compact|scatter||disabled||balanced", 0, 3, 0, "none", \
     "none, compact, scatter or balanced")                                                         \
  XX(display_affinity, "OMP_DISPLAY_AFFINITY", word, SOLO_WORDS_FLAG, 0, 1, 0, "false",            \
     "true or false")                                                                              \
  XX(affinity_format, "OMP_AFFINITY_FORMAT", text, NULL, 0, 0,                                     \
     "OMP: pid %P tid %i thread %n bound to OS proc set {%A}", "the default format", "text")       \
  XX(allocator, "OMP_ALLOCATOR", text, NULL, 0, 0, NULL, "omp_default_mem_alloc",                  \
     "a predefined allocator, or a memory space with traits")                                      \
  XX(reduction, "KMP_FORCE_REDUCTION", word, "|critical|atomic|tree", 0, 3, 0,                     \
     "the method that fits", "critical, atomic or tree")                                           \
  XX(deterministic, "KMP_DETERMINISTIC_REDUCTION", word, SOLO_WORDS_FLAG, 0, 1, 0, "false",        \
     "true or false")                                                                              \
  XX(display_env, "OMP_DISPLAY_ENV", word,                                                         \
     "false|true|verbose|0|1|verbose|no|yes|verbose|off|on|verbose", 0, 2, 0, "false",             \
     "true, false or verbose")                                                                     \
  SOLO_THREAD_SETTINGS_CHECK(XX)

#ifdef SOLO_CHECK
#define SOLO_THREAD_SETTINGS_CHECK(XX)                                                             \
  XX(tree_above, "SOLO_TREE_ABOVE", int, NULL, 1, 32766, 8, "8",                                   \
     "teams of more threads synchronise over a tree")                                              \
  XX(tree_width, "SOLO_TREE_WIDTH", int, NULL, 2, 32766, 12, "12", "threads per node, at most")
#else
#define SOLO_THREAD_SETTINGS_CHECK(XX)
#endif

#define SOLO_SETTING_TYPE_int      int64_t
#define SOLO_SETTING_TYPE_word     int
#define SOLO_SETTING_TYPE_size     uint64_t
#define SOLO_SETTING_TYPE_ksize    uint64_t
#define SOLO_SETTING_TYPE_time     uint64_t
#define SOLO_SETTING_TYPE_list     solo_setting_list
#define SOLO_SETTING_TYPE_binds    solo_setting_list
#define SOLO_SETTING_TYPE_schedule solo_setting_schedule
#define SOLO_SETTING_TYPE_text     const char *

#define XX(field, variable, kind, words, least, most, initial, spoken, meaning)                    \
  SOLO_SETTING_TYPE_##kind field;
typedef struct solo_settings_table {
  SOLO_SETTINGS_MAP(XX)
  SOLO_DEVICE_SETTINGS_MAP(XX)
} solo_settings_table;

typedef struct solo_server_settings_table {
  SOLO_SERVER_SETTINGS_MAP(XX)
} solo_server_settings_table;

typedef struct solo_simt_settings_table {
  SOLO_SIMT_SETTINGS_MAP(XX)
} solo_simt_settings_table;

typedef struct solo_gomp_settings_table {
  SOLO_GOMP_SETTINGS_MAP(XX)
} solo_gomp_settings_table;

typedef struct solo_rex_settings_table {
  SOLO_REX_SETTINGS_MAP(XX)
} solo_rex_settings_table;

typedef struct solo_thread_settings_table {
  SOLO_THREAD_SETTINGS_MAP(XX)
} solo_thread_settings_table;
#undef XX

const solo_settings_table *solo_settings(void);

const solo_server_settings_table *solo_server_settings(void);
const solo_simt_settings_table *solo_simt_settings(void);
const solo_gomp_settings_table *solo_gomp_settings(void);

void solo_thread_settings_read(solo_thread_settings_table *out);

void solo_settings_print(FILE *out);
void solo_rex_settings_print(FILE *out);
void solo_gomp_settings_print(FILE *out);
void solo_server_settings_print(FILE *out) SOLO_WEAK;
void solo_simt_settings_print(FILE *out) SOLO_WEAK;

#endif

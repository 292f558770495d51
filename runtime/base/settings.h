/* Every environment variable that the core reads, in one table: name, type, default, meaning.
 *
 * Read once, at the first question (never before main, never on a hot path). solo-info --settings
 * prints the table with the values in force. abi/kmpc has a table of its own for host threads
 * (OMP_NUM_THREADS ...). Wrong values are reported once (name, value, what is used instead).
 *
 * Threads: solo_settings() from any thread; the struct is immutable once returned.
 */
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

/* XX(field, variable, kind, default, meaning)
 * kinds: int (64-bit integer), size (bytes; suffixes k, m, g), flag (0/1/on/off/true/false),
 *        policy (OMP_TARGET_OFFLOAD), memory (separate/shared), text (as it stands in the
 *        environment) */
#define SOLO_SETTINGS_MAP(XX)                                                                      \
  XX(offload, "OMP_TARGET_OFFLOAD", policy, SOLO_OFFLOAD_DEFAULT,                                  \
     "default, disabled or mandatory (OpenMP 5.2, section 21.5)")                                  \
  XX(default_device, "OMP_DEFAULT_DEVICE", int, 0, "device of regions that name none")             \
  XX(teams_limit, "OMP_NUM_TEAMS", int, 0, "upper bound of the number of teams; 0: none")          \
  XX(thread_limit, "OMP_TEAMS_THREAD_LIMIT", int, 0, "upper bound of threads per team; 0: none")   \
  XX(info, "LIBOMPTARGET_INFO", int, 0, "bit mask of messages on stderr; -1: all")                 \
  XX(profile, "LIBOMPTARGET_PROFILE", text, NULL,                                                  \
     "file for a trace of constructs, kernels and copies (chrome://tracing, Perfetto)")            \
  XX(profile_granularity, "LIBOMPTARGET_PROFILE_GRANULARITY", int, 0,                              \
     "shorter events are left out of the trace, us")                                               \
  XX(debug, "SOLO_DEBUG", int, 0, "0: quiet, 1: decisions, 2: every call (stderr)")                \
  XX(stack_size, "LIBOMPTARGET_STACK_SIZE", size, 0,                                               \
     "device stack per thread, bytes; 0: driver's")                                                \
  XX(heap_size, "LIBOMPTARGET_HEAP_SIZE", size, 0, "device heap, bytes; 0: driver's")              \
  XX(shared_size, "LIBOMPTARGET_SHARED_MEMORY_SIZE", size, 0, "extra dynamic shared bytes")        \
  XX(pool_threshold, "LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", size, 1 << 20,                       \
     "largest device block that is kept for reuse, bytes; 0: none")                                \
  XX(attach_always, "LIBOMPTARGET_TREAT_ATTACH_AUTO_AS_ALWAYS", flag, 0,                           \
     "attach pointers even if neither side is newly mapped")                                       \
  XX(min_threads, "LIBOMPTARGET_MIN_THREADS_FOR_LOW_TRIP_COUNT", int, 32,                          \
     "fewest threads per team for short loops on a GPU")                                           \
  XX(reuse_blocks, "LIBOMPTARGET_REUSE_BLOCKS_FOR_HIGH_TRIP_COUNT", flag, 1,                       \
     "cap the number of teams for long loops on a GPU")                                            \
  XX(device_debug, "LIBOMPTARGET_DEVICE_RTL_DEBUG", int, 0, "debug bits of the device runtime")    \
  XX(host_devices, "SOLO_HOST_DEVICES", int, 1, "number of CPU devices")                           \
  XX(host_memory, "SOLO_HOST_MEMORY", memory, 0,                                                   \
     "separate: CPU devices have memory of their own; shared: mapping copies nothing")             \
  XX(spin_us, "SOLO_SPIN_US", int, 2000, "how long a wait for a GPU spins before it sleeps, us")   \
  XX(staging_threshold, "SOLO_STAGING_THRESHOLD", size, 0,                                         \
     "CUDA: pageable copies of so many bytes go through pinned buffers; 0: none do")               \
  XX(staging_bytes, "SOLO_STAGING_BYTES", size, 4 << 20,                                           \
     "CUDA: bytes of each of the two pinned buffers of a queue")                                   \
  XX(apu_maps, "OMPX_APU_MAPS", flag, 0, "map without copies on AMD GPUs with xnack, APU or not")  \
  XX(hsa_carry, "SOLO_HSA_CARRY", size, 0,                                                         \
     "firstprivate data up to this size go with a launch's arguments, in host memory (AMD GPUs)")  \
  XX(perf_map, "SOLO_PERF_MAP", flag, 0, "write a perf map file for embedded CPU images")          \
  SOLO_SETTINGS_REMOTE(XX)

/* Those of backends/remote, where it is configured. */
#ifdef SOLO_HAVE_REMOTE
#define SOLO_SETTINGS_REMOTE(XX)                                                                   \
  XX(server, "SOLO_SERVER", text, NULL,                                                            \
     "device server: its program, or @NAME of one that runs (solo-server --listen=NAME)")          \
  XX(server_backends, "SOLO_SERVER_BACKENDS", text, SOLO_SERVER_BACKENDS_DEFAULT,                  \
     "whose devices are wanted from a device server: cuda, hsa, host, separated by commas")
#ifdef SOLO_HAVE_CUDA /* a program with drivers of its own asks for others' devices only when told */
#define SOLO_SERVER_BACKENDS_DEFAULT ""
#else
#define SOLO_SERVER_BACKENDS_DEFAULT "cuda,hsa"
#endif
#else
#define SOLO_SETTINGS_REMOTE(XX)
#endif

#define SOLO_SETTING_TYPE_int    int64_t
#define SOLO_SETTING_TYPE_size   uint64_t
#define SOLO_SETTING_TYPE_flag   int
#define SOLO_SETTING_TYPE_policy solo_offload_policy
#define SOLO_SETTING_TYPE_memory int
#define SOLO_SETTING_TYPE_text   const char *

typedef struct solo_settings_table {
#define XX(field, variable, kind, initial, meaning) SOLO_SETTING_TYPE_##kind field;
  SOLO_SETTINGS_MAP(XX)
#undef XX
} solo_settings_table;

/* The settings in force. Never NULL. First call reads the environment. */
const solo_settings_table *solo_settings(void);

/* Prints name, value, origin and meaning of every setting. */
void solo_settings_print(FILE *out);

#endif

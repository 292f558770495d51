/* Records calls of OffloadAPI.h for table.sh: appends lines of function, platform, "ok" or "error",
 * and $OFFLOAD_TEST to the file $OFFLOAD_CALLS. Calls without a device belong to the platform
 * $OFFLOAD_COLUMN. */
#define _GNU_SOURCE
#include "abi/include/OffloadAPI.h"
#include "runtime/base/atomic.h"
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINES = 2048, MOST_OWNERS = 4096, MOST_DEVICES = 64, LINE = 128 };

/* no mutex, because the conformance suite counts calls of mutex functions */
static _Atomic int busy;
static char lines[MOST_LINES][LINE];
static int line_count;
/* the devices of programs and symbols, for which the interface has no property */
static struct {
  const void *object;
  ol_device_handle_t device;
} owners[MOST_OWNERS];
static unsigned owner_count;

static void lock(void) {
  while (solo_exchange_acquire(&busy, 1)) sched_yield(); /* pairs with unlock */
}

static void unlock(void) {
  solo_store_release(&busy, 0); /* pairs with lock */
}

static const char *path(void) {
  return getenv("OFFLOAD_CALLS");
}

static void own(const void *object, ol_device_handle_t device) {
  lock();
  owners[owner_count % MOST_OWNERS].object = object;
  owners[owner_count++ % MOST_OWNERS].device = device;
  unlock();
}

static ol_device_handle_t of_object(const void *object) {
  ol_device_handle_t found = NULL;
  lock();
  for (unsigned i = 0; i < MOST_OWNERS && i < owner_count; i++)
    if (owners[i].object == object) found = owners[i].device;
  unlock();
  return found;
}

ol_result_t __real_olGetDeviceInfo(ol_device_handle_t, ol_device_info_t, size_t, void *);
ol_result_t __real_olGetPlatformInfo(ol_platform_handle_t, ol_platform_info_t, size_t, void *);
ol_result_t __real_olGetQueueInfo(ol_queue_handle_t, ol_queue_info_t, size_t, void *);
ol_result_t __real_olGetEventInfo(ol_event_handle_t, ol_event_info_t, size_t, void *);
ol_result_t __real_olGetMemInfo(const void *, ol_mem_info_t, size_t, void *);

static ol_device_handle_t of_queue(ol_queue_handle_t queue) {
  ol_device_handle_t device = NULL;
  return __real_olGetQueueInfo(queue, OL_QUEUE_INFO_DEVICE, sizeof device, &device) ? NULL : device;
}

static ol_device_handle_t of_event(ol_event_handle_t event) {
  ol_queue_handle_t queue = NULL;
  return __real_olGetEventInfo(event, OL_EVENT_INFO_QUEUE, sizeof queue, &queue) ? NULL
                                                                                 : of_queue(queue);
}

static ol_device_handle_t of_memory(const void *address) {
  ol_device_handle_t device = NULL;
  return __real_olGetMemInfo(address, OL_MEM_INFO_DEVICE, sizeof device, &device) ? NULL : device;
}

/* Writes the platform of a device, for virtual GPUs with the target. */
static void find_column(ol_device_handle_t device, char *out) {
  ol_platform_handle_t platform = NULL;
  char name[64] = "", model[LINE] = "", target[41] = "";
  if (__real_olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform) ||
      __real_olGetDeviceInfo(device, OL_DEVICE_INFO_NAME, sizeof model, model) ||
      __real_olGetPlatformInfo(platform, OL_PLATFORM_INFO_NAME, sizeof name, name))
    return;
  if (strcmp(name, "simt") == 0 && sscanf(model, "virtual GPU (%40[^)])", target) == 1)
    snprintf(out, LINE / 2, "simt-%s", target);
  else
    snprintf(out, LINE / 2, "%.40s", name);
}

/* Columns are cached, because the conformance suite counts the locks of olGetDeviceInfo. */
static void name_device(ol_device_handle_t device, char *out) {
  static struct {
    ol_device_handle_t device;
    char column[LINE / 2];
  } known[MOST_DEVICES];
  static int count;
  const char *column = getenv("OFFLOAD_COLUMN");
  if (!device) {
    if (column) snprintf(out, LINE / 2, "%.40s", column);
    return;
  }
  lock();
  int i = 0;
  while (i < count && known[i].device != device) i++;
  if (i < count) memcpy(out, known[i].column, sizeof known[i].column);
  unlock();
  if (out[0]) return;
  find_column(device, out);
  lock();
  if (out[0] && count < MOST_DEVICES) {
    known[count].device = device;
    memcpy(known[count++].column, out, sizeof known->column);
  }
  unlock();
}

static void record(const char *function, const char *platform, ol_result_t result) {
  char line[LINE];
  const char *test = getenv("OFFLOAD_TEST");
  if (!platform[0]) return;
  int length = snprintf(line, sizeof line, "%s %s %s %s\n", function, platform,
                        result ? "error" : "ok", test ? test : "-");
  lock();
  int i = 0;
  while (i < line_count && strcmp(lines[i], line) != 0) i++;
  if (i == line_count && i < MOST_LINES) {
    memcpy(lines[line_count++], line, sizeof line);
    int file = open(path(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || write(file, line, (size_t)length) != length) perror(path());
    if (file >= 0) close(file);
  }
  unlock();
}

#define WRAP(function, parameters, arguments, device)                                              \
  ol_result_t __real_##function parameters;                                                        \
  ol_result_t __wrap_##function parameters;                                                        \
  ol_result_t __wrap_##function parameters {                                                       \
    char platform[LINE] = "";                                                                      \
    if (!path()) return __real_##function arguments;                                               \
    name_device(device, platform);                                                                 \
    ol_result_t result = __real_##function arguments;                                              \
    record(#function, platform, result);                                                           \
    return result;                                                                                 \
  }
#define WRAP_INFO(function, object_type, info_type, device)                                        \
  WRAP(function, (object_type object, info_type name, size_t size, void *value),                   \
       (object, name, size, value), device)                                                        \
  WRAP(function##Size, (object_type object, info_type name, size_t * size), (object, name, size),  \
       device)

WRAP(olInit, (void), (), NULL)
WRAP(olShutDown, (void), (), NULL)
WRAP(olIterateDevices, (ol_device_iterate_cb_t callback, void *user), (callback, user), NULL)
WRAP_INFO(olGetPlatformInfo, ol_platform_handle_t, ol_platform_info_t, NULL)
WRAP_INFO(olGetDeviceInfo, ol_device_handle_t, ol_device_info_t, object)
WRAP_INFO(olGetMemInfo, const void *, ol_mem_info_t, of_memory(object))
WRAP_INFO(olGetQueueInfo, ol_queue_handle_t, ol_queue_info_t, of_queue(object))
WRAP_INFO(olGetEventInfo, ol_event_handle_t, ol_event_info_t, of_event(object))
WRAP_INFO(olGetSymbolInfo, ol_symbol_handle_t, ol_symbol_info_t, of_object(object))
WRAP(olMemAlloc, (ol_device_handle_t device, ol_alloc_type_t type, size_t size, void **out),
     (device, type, size, out), device)
WRAP(olMemFree, (void *address), (address), of_memory(address))
WRAP(olMemcpy,
     (ol_queue_handle_t queue, void *to, ol_device_handle_t to_device, const void *from,
      ol_device_handle_t from_device, size_t size),
     (queue, to, to_device, from, from_device, size),
     of_memory(to)     ? of_memory(to)
     : of_memory(from) ? of_memory(from)
                       : of_queue(queue))
WRAP(olMemFill,
     (ol_queue_handle_t queue, void *at, size_t pattern_size, const void *pattern, size_t size),
     (queue, at, pattern_size, pattern, size), queue ? of_queue(queue) : of_memory(at))
WRAP(olMemRegister,
     (ol_device_handle_t device, void *at, size_t size, ol_memory_register_flags_t flags,
      void **out),
     (device, at, size, flags, out), device)
WRAP(olMemUnregister, (ol_device_handle_t device, void *at), (device, at), device)
WRAP(olCreateQueue, (ol_device_handle_t device, ol_queue_handle_t *out), (device, out), device)
WRAP(olDestroyQueue, (ol_queue_handle_t queue), (queue), of_queue(queue))
WRAP(olSyncQueue, (ol_queue_handle_t queue), (queue), of_queue(queue))
WRAP(olWaitEvents, (ol_queue_handle_t queue, ol_event_handle_t *events, size_t count),
     (queue, events, count), of_queue(queue))
WRAP(olLaunchHostFunction, (ol_queue_handle_t queue, ol_host_function_cb_t function, void *data),
     (queue, function, data), of_queue(queue))
WRAP(olCreateEvent, (ol_queue_handle_t queue, ol_event_handle_t *out), (queue, out),
     of_queue(queue))
WRAP(olDestroyEvent, (ol_event_handle_t event), (event), of_event(event))
WRAP(olSyncEvent, (ol_event_handle_t event), (event), of_event(event))
WRAP(olIsValidBinary, (ol_device_handle_t device, const void *image, size_t size, bool *valid),
     (device, image, size, valid), device)
WRAP(olDestroyProgram, (ol_program_handle_t program), (program), of_object(program))
WRAP(olLaunchKernel,
     (ol_queue_handle_t queue, ol_device_handle_t device, ol_symbol_handle_t kernel,
      const void *arguments, size_t size, const ol_kernel_launch_size_args_t *grid),
     (queue, device, kernel, arguments, size, grid), device)
WRAP(olCalculateOptimalOccupancy,
     (ol_device_handle_t device, ol_symbol_handle_t kernel, size_t shared, size_t *out),
     (device, kernel, shared, out), device)

ol_result_t __real_olCreateProgram(ol_device_handle_t, const void *, size_t, ol_program_handle_t *);
ol_result_t __wrap_olCreateProgram(ol_device_handle_t, const void *, size_t, ol_program_handle_t *);
ol_result_t __wrap_olCreateProgram(ol_device_handle_t device, const void *image, size_t size,
                                   ol_program_handle_t *out) {
  char platform[LINE] = "";
  ol_result_t result = __real_olCreateProgram(device, image, size, out);
  if (!path()) return result;
  if (!result) own(*out, device);
  name_device(device, platform);
  record("olCreateProgram", platform, result);
  return result;
}

ol_result_t __real_olGetSymbol(ol_program_handle_t, const char *, ol_symbol_kind_t,
                               ol_symbol_handle_t *);
ol_result_t __wrap_olGetSymbol(ol_program_handle_t, const char *, ol_symbol_kind_t,
                               ol_symbol_handle_t *);
ol_result_t __wrap_olGetSymbol(ol_program_handle_t program, const char *name, ol_symbol_kind_t kind,
                               ol_symbol_handle_t *out) {
  char platform[LINE] = "";
  ol_result_t result = __real_olGetSymbol(program, name, kind, out);
  if (!path()) return result;
  ol_device_handle_t device = of_object(program);
  if (!result) own(*out, device);
  name_device(device, platform);
  record("olGetSymbol", platform, result);
  return result;
}

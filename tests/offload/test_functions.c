/* Checks the result and at least one error of each function of OffloadAPI.h on one platform. Usage:
 * test_functions PLATFORM IMAGE. PLATFORM may end in a target (simt-sm_90). */
#define _GNU_SOURCE
#ifdef OFFLOAD_HEADER
#include OFFLOAD_HEADER
#else
#include "abi/include/OffloadAPI.h"
#endif
#include "tests/unit/test.h"
#include <stdlib.h>
#include <string.h>

enum { CELLS = 100 };
#define GOOD(call)      CHECK_INT(code(call), 0)
#define BAD(call, want) CHECK_INT(code(call), OL_ERRC_##want)

static char image[1 << 20];
static size_t image_bytes;
static ol_device_handle_t device, host;
static ol_platform_handle_t platform;
static ol_queue_handle_t queue;
static ol_program_handle_t program;
static ol_symbol_handle_t affine, global;
static int is_cpu, is_remote;

static int code(ol_result_t result) {
  if (result && (!result->Details || !result->Details[0])) return -1;
  return result ? (int)result->Code : 0;
}

static bool choose(ol_device_handle_t d, void *wanted) {
  ol_platform_handle_t p = NULL;
  char name[64] = "";
  GOOD(olGetDeviceInfo(d, OL_DEVICE_INFO_PLATFORM, sizeof p, &p));
  GOOD(olGetPlatformInfo(p, OL_PLATFORM_INFO_NAME, sizeof name, name));
  if (strcmp(name, "host") == 0) host = d;
  if (strcmp(name, wanted) == 0 && !device) {
    device = d;
    platform = p;
  }
  return true;
}

static void test_start(char *wanted) {
  size_t size = 0;
  BAD(olIterateDevices(choose, wanted), UNINITIALIZED);
  GOOD(olInit());
  BAD(olIterateDevices(NULL, NULL), INVALID_NULL_POINTER);
  GOOD(olIterateDevices(choose, wanted));
  CHECK(device && host);
  BAD(olGetPlatformInfo(platform, OL_PLATFORM_INFO_LAST, 8, &size), INVALID_ENUMERATION);
  GOOD(olGetPlatformInfoSize(platform, OL_PLATFORM_INFO_NAME, &size));
  CHECK_INT(size, strlen(wanted) + 1);
  BAD(olGetPlatformInfoSize(platform, OL_PLATFORM_INFO_NAME, NULL), INVALID_NULL_POINTER);
}

static void test_device(void) {
  size_t size = 0;
  char text[128];
  uint32_t units = 0;
  GOOD(olGetDeviceInfo(device, OL_DEVICE_INFO_NUM_COMPUTE_UNITS, sizeof units, &units));
  CHECK(units > 0);
  GOOD(olGetDeviceInfo(device, OL_DEVICE_INFO_NAME, sizeof text, text));
  GOOD(olGetDeviceInfoSize(device, OL_DEVICE_INFO_NAME, &size));
  CHECK_INT(size, strlen(text) + 1);
  BAD(olGetDeviceInfo(device, OL_DEVICE_INFO_NAME, 1, text), INVALID_SIZE);
  BAD(olGetDeviceInfoSize(device, OL_DEVICE_INFO_LAST, &size), INVALID_ENUMERATION);
}

static void test_memory(void) {
  static char page[8192];
  char *memory = NULL;
  void *pinned = NULL, *base = NULL;
  size_t size = 0;
  for (ol_alloc_type_t type = 0; type < OL_ALLOC_TYPE_LAST; type++) {
    /* the device is in another process without common memory */
    if (is_remote && type != OL_ALLOC_TYPE_DEVICE) {
      BAD(olMemAlloc(device, type, 4096, (void **)&memory), UNSUPPORTED);
      continue;
    }
    GOOD(olMemAlloc(device, type, 4096, (void **)&memory));
    GOOD(olGetMemInfo(memory + 4095, OL_MEM_INFO_BASE, sizeof base, &base));
    CHECK(base == memory);
    GOOD(olGetMemInfoSize(memory, OL_MEM_INFO_SIZE, &size));
    CHECK_INT(size, sizeof size);
    BAD(olGetMemInfo(memory, OL_MEM_INFO_SIZE, 4, &size), INVALID_SIZE);
    BAD(olGetMemInfoSize(memory, OL_MEM_INFO_LAST, &size), INVALID_ENUMERATION);
    BAD(olMemFree(memory + 8), INVALID_ARGUMENT);
    GOOD(olMemFree(memory));
  }
  BAD(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, 0, &base), INVALID_SIZE);
  if (is_remote) {
    BAD(olMemRegister(device, page, sizeof page, 0, &pinned), UNSUPPORTED);
    BAD(olMemUnregister(device, page), INVALID_ARGUMENT);
    return;
  }
  GOOD(olMemRegister(device, page, sizeof page, 0, &pinned));
  CHECK(pinned != NULL);
  BAD(olMemRegister(device, page + 4096, 8192, 0, &pinned), INVALID_ARGUMENT);
  GOOD(olMemUnregister(device, page));
  BAD(olMemUnregister(device, page), INVALID_ARGUMENT);
}

static void test_program(void) {
  bool valid = false;
  void *address = NULL;
  ol_symbol_kind_t kind = OL_SYMBOL_KIND_LAST;
  size_t size = 0, group = 0;
  GOOD(olIsValidBinary(device, image, image_bytes, &valid));
  CHECK(valid);
  BAD(olIsValidBinary(device, NULL, 1, &valid), INVALID_NULL_POINTER);
  BAD(olCreateProgram(device, "no image", 8, &program), INVALID_BINARY);
  GOOD(olCreateProgram(device, image, image_bytes, &program));
  GOOD(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_KERNEL, &affine));
  GOOD(olGetSymbol(program, "conf_global", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &global));
  BAD(olGetSymbol(program, "absent", OL_SYMBOL_KIND_KERNEL, &global), NOT_FOUND);
  GOOD(olGetSymbolInfo(affine, OL_SYMBOL_INFO_KIND, sizeof kind, &kind));
  CHECK_INT(kind, OL_SYMBOL_KIND_KERNEL);
  GOOD(olGetSymbolInfoSize(global, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, &size));
  CHECK_INT(size, sizeof address);
  GOOD(olGetSymbolInfo(global, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, sizeof address, &address));
  BAD(olGetSymbolInfo(affine, OL_SYMBOL_INFO_GLOBAL_VARIABLE_SIZE, 8, &size), SYMBOL_KIND);
  BAD(olGetSymbolInfoSize(affine, OL_SYMBOL_INFO_LAST, &size), INVALID_ENUMERATION);
  BAD(olCalculateOptimalOccupancy(device, global, 0, &group), SYMBOL_KIND);
  if (is_cpu) {
    BAD(olCalculateOptimalOccupancy(device, affine, 0, &group), UNSUPPORTED);
  } else {
    GOOD(olCalculateOptimalOccupancy(device, affine, 0, &group));
    CHECK(group > 0);
  }
}

static void add_one(void *count) {
  ++*(int *)count;
}

static ol_result_t launch(void *cell, uint64_t mul, uint64_t add) {
  const struct {
    uint64_t environment;
    void *cell;
    uint64_t mul, add;
  } arguments = {0, cell, mul, add};
  static const ol_kernel_launch_size_args_t one = {1, {1, 1, 1}, {1, 1, 1}, 0};
  return olLaunchKernel(queue, device, affine, &arguments, sizeof arguments, &one);
}

static void test_work(void) {
  uint64_t in[CELLS], out[CELLS] = {0}, two = 2;
  uint64_t *memory = NULL;
  int calls = 0;
  for (uint64_t i = 0; i < CELLS; i++) in[i] = i;
  GOOD(olMemAlloc(device, OL_ALLOC_TYPE_DEVICE, sizeof in, (void **)&memory));
  GOOD(olMemcpy(queue, memory, device, in, host, sizeof in));
  GOOD(olMemFill(queue, memory + 10, 8, &two, 80));
  GOOD(launch(memory + 10, 5, 1));
  GOOD(launch(memory + 10, 10, 3));
  GOOD(olLaunchHostFunction(queue, add_one, &calls));
  GOOD(olMemcpy(queue, out, host, memory, device, sizeof in));
  GOOD(olSyncQueue(queue));
  CHECK_INT(calls, 1);
  for (uint64_t i = 0; i < CELLS; i++)
    CHECK_INT(out[i], i == 10 ? 113 : i >= 10 && i < 20 ? two : i);
  /* a call without a queue is complete when it returns */
  GOOD(olMemFill(NULL, memory, 8, &two, 8));
  GOOD(olMemcpy(NULL, out, host, memory, device, 8));
  CHECK_INT(out[0], two);
  BAD(olMemFill(queue, memory, 3, &two, 8), INVALID_SIZE);
  BAD(olMemcpy(queue, NULL, device, in, host, 8), INVALID_NULL_POINTER);
  BAD(olLaunchHostFunction(queue, NULL, NULL), INVALID_NULL_POINTER);
  BAD(olLaunchKernel(queue, device, affine, NULL, 8, NULL), INVALID_ARGUMENT);
  GOOD(olMemFree(memory));
}

static void test_queue(void) {
  ol_queue_handle_t other = NULL, of = NULL;
  ol_event_handle_t event = NULL;
  ol_device_handle_t on = NULL;
  bool is = false;
  size_t size = 0;
  GOOD(olCreateQueue(device, &other));
  BAD(olCreateQueue(device, NULL), INVALID_NULL_POINTER);
  GOOD(olGetQueueInfo(other, OL_QUEUE_INFO_DEVICE, sizeof on, &on));
  CHECK(on == device);
  GOOD(olGetQueueInfo(other, OL_QUEUE_INFO_EMPTY, sizeof is, &is));
  CHECK(is);
  GOOD(olGetQueueInfoSize(other, OL_QUEUE_INFO_EMPTY, &size));
  CHECK_INT(size, sizeof is);
  BAD(olGetQueueInfo(other, OL_QUEUE_INFO_DEVICE, 1, &on), INVALID_SIZE);
  BAD(olGetQueueInfoSize(other, OL_QUEUE_INFO_LAST, &size), INVALID_ENUMERATION);
  GOOD(olCreateEvent(queue, &event));
  BAD(olCreateEvent(queue, NULL), INVALID_NULL_POINTER);
  GOOD(olWaitEvents(other, &event, 1));
  BAD(olWaitEvents(other, NULL, 1), INVALID_NULL_POINTER);
  GOOD(olSyncQueue(other));
  GOOD(olSyncEvent(event));
  GOOD(olGetEventInfo(event, OL_EVENT_INFO_IS_COMPLETE, sizeof is, &is));
  CHECK(is);
  GOOD(olGetEventInfo(event, OL_EVENT_INFO_QUEUE, sizeof of, &of));
  CHECK(of == queue);
  GOOD(olGetEventInfoSize(event, OL_EVENT_INFO_QUEUE, &size));
  CHECK_INT(size, sizeof of);
  BAD(olGetEventInfo(event, OL_EVENT_INFO_QUEUE, 1, &of), INVALID_SIZE);
  BAD(olGetEventInfoSize(event, OL_EVENT_INFO_LAST, &size), INVALID_ENUMERATION);
  GOOD(olDestroyEvent(event));
  BAD(olSyncEvent(event), INVALID_EVENT);
  BAD(olDestroyEvent(event), INVALID_EVENT);
  GOOD(olDestroyQueue(other));
  BAD(olSyncQueue(other), INVALID_QUEUE);
  BAD(olDestroyQueue(other), INVALID_QUEUE);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  FILE *file = fopen(argv[2], "rb");
  if (file) image_bytes = fread(image, 1, sizeof image, file);
  if (file) fclose(file);
  CHECK(image_bytes > 0);
  if (strncmp(argv[1], "simt-", 5) == 0) argv[1][4] = 0;
  is_cpu = strcmp(argv[1], "host") == 0 || strcmp(argv[1], "remote-host") == 0;
  is_remote = strncmp(argv[1], "remote-", 7) == 0;
  test_start(argv[1]);
  if (test_failures) return TEST_RESULT();
  test_device();
  test_memory();
  test_program();
  GOOD(olCreateQueue(device, &queue));
  test_work();
  test_queue();
  GOOD(olDestroyQueue(queue));
  GOOD(olDestroyProgram(program));
  BAD(olDestroyProgram(program), INVALID_ARGUMENT);
  GOOD(olShutDown());
  BAD(olShutDown(), UNINITIALIZED);
  BAD(olMemFree(NULL), UNINITIALIZED);
  return TEST_RESULT();
}

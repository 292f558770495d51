/* Calls of OffloadAPI.h for a comparison of two libraries (differential.sh). Prints for each check
 * its number, the call, the code and values that do not depend on the library. Usage: differential
 * CUBIN FOREIGN-IMAGE */
#define _GNU_SOURCE
#include <stdbool.h>

#include <OffloadAPI.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;

static ol_device_handle_t gpus[4], host;
static int gpu_count, device_count, checks;

static int report(const char *what, ol_result_t result) {
  int code = result ? (int)result->Code : 0;
  printf("%d %s: %d%s\n", ++checks, what, code, result && !result->Details ? " no details" : "");
  return code;
}
static void value(const char *what, u64 v) {
  printf("%d %s = %llu\n", ++checks, what, v);
}
#define C(call)       report(#call, call)
#define V(expression) value(#expression, (u64)(expression))

static bool classify(ol_device_handle_t device, void *user) {
  ol_platform_handle_t platform = NULL;
  ol_platform_backend_t backend = OL_PLATFORM_BACKEND_UNKNOWN;
  (void)user;
  device_count++;
  if (olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform)) return true;
  if (olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof backend, &backend)) return true;
  if (backend == OL_PLATFORM_BACKEND_HOST) host = device;
  if (backend == OL_PLATFORM_BACKEND_CUDA && gpu_count < 4) gpus[gpu_count++] = device;
  return true;
}

static bool stop(ol_device_handle_t device, void *user) {
  (void)device;
  ++*(int *)user;
  return false;
}

static void test_start(void) {
  C(olIterateDevices(classify, NULL));
  C(olShutDown());
  C(olMemFree(NULL));
  C(olSyncQueue(NULL));
  C(olGetDeviceInfo(NULL, OL_DEVICE_INFO_NAME, 0, NULL));
  C(olInit());
  C(olInit());
  C(olShutDown());
  C(olIterateDevices(classify, NULL));
  V(gpu_count);
  V(host != NULL);
  V(device_count);
  int calls = 0;
  C(olIterateDevices(stop, &calls));
  V(calls);
  C(olIterateDevices(NULL, NULL));
}

static void device_properties(ol_device_handle_t d) {
  for (int i = 0; i < OL_DEVICE_INFO_LAST; i++) {
    size_t size = 0;
    char bytes[256];
    int text = i >= OL_DEVICE_INFO_NAME && i <= OL_DEVICE_INFO_DRIVER_VERSION;
    report("olGetDeviceInfoSize", olGetDeviceInfoSize(d, (ol_device_info_t)i, &size));
    value("size of a fixed type, or a text is not empty", text ? size > 1 : size);
    report("olGetDeviceInfo", olGetDeviceInfo(d, (ol_device_info_t)i, sizeof bytes, bytes));
    if (text) value("size of the text", strlen(bytes) + 1 == size);
    report("olGetDeviceInfo, small", olGetDeviceInfo(d, (ol_device_info_t)i, size - 1, bytes));
  }
  ol_device_type_t type = 0;
  uint32_t bits = 0;
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_TYPE, sizeof type, &type));
  V(type);
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_ADDRESS_BITS, sizeof bits, &bits));
  V(bits);
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE, sizeof bits, &bits));
  V(bits);
  ol_dimensions_t size = {0, 0, 0};
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_MAX_WORK_GROUP_SIZE_PER_DIMENSION, sizeof size, &size));
  V(size.x);
  V(size.y);
  V(size.z);
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_LAST, sizeof bits, &bits));
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_NAME, 0, &bits));
  C(olGetDeviceInfo(d, OL_DEVICE_INFO_NAME, 4, NULL));
  C(olGetDeviceInfoSize(d, OL_DEVICE_INFO_NAME, NULL));
  C(olGetDeviceInfo(NULL, OL_DEVICE_INFO_NAME, 0, NULL));
}

static void test_properties(void) {
  device_properties(gpus[0]);
  device_properties(host);
  ol_device_handle_t both[] = {gpus[0], host};
  for (int k = 0; k < 2; k++) {
    ol_platform_handle_t p = NULL;
    ol_platform_backend_t backend = 0;
    char text[100];
    size_t size = 0;
    C(olGetDeviceInfo(both[k], OL_DEVICE_INFO_PLATFORM, sizeof p, &p));
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_BACKEND, sizeof backend, &backend));
    V(backend);
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_NAME, sizeof text, text));
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_VENDOR_NAME, sizeof text, text));
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_VERSION, sizeof text, text));
    value("version v0.0.1", strcmp(text, "v0.0.1") == 0);
    C(olGetPlatformInfoSize(p, OL_PLATFORM_INFO_VERSION, &size));
    V(size);
    C(olGetPlatformInfoSize(p, OL_PLATFORM_INFO_BACKEND, &size));
    V(size);
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_LAST, sizeof text, text));
    C(olGetPlatformInfoSize(p, OL_PLATFORM_INFO_LAST, &size));
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_BACKEND, 1, text));
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_BACKEND, 0, text));
    C(olGetPlatformInfo(p, OL_PLATFORM_INFO_BACKEND, 4, NULL));
    C(olGetPlatformInfo(NULL, OL_PLATFORM_INFO_BACKEND, 4, &backend));
    C(olGetPlatformInfoSize(NULL, OL_PLATFORM_INFO_BACKEND, &size));
  }
}

static void test_memory(void) {
  ol_device_handle_t d = gpus[0];
  void *p = NULL, *base = NULL;
  size_t size = 0;
  C(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 0, &p));
  C(olMemAlloc(NULL, OL_ALLOC_TYPE_DEVICE, 8, &p));
  C(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, 8, NULL));
  C(olMemAlloc(NULL, OL_ALLOC_TYPE_DEVICE, 0, NULL));
  for (int k = OL_ALLOC_TYPE_HOST; k < OL_ALLOC_TYPE_LAST; k++) {
    ol_device_handle_t of = NULL;
    ol_alloc_type_t type = OL_ALLOC_TYPE_LAST;
    C(olMemAlloc(d, (ol_alloc_type_t)k, 4096, &p));
    V(p != NULL);
    C(olGetMemInfo(p, OL_MEM_INFO_BASE, sizeof base, &base));
    V(base == p);
    C(olGetMemInfo((char *)p + 4095, OL_MEM_INFO_BASE, sizeof base, &base));
    V(base == p);
    C(olGetMemInfo(p, OL_MEM_INFO_SIZE, sizeof size, &size));
    V(size);
    C(olGetMemInfo(p, OL_MEM_INFO_TYPE, sizeof type, &type));
    V(type);
    C(olGetMemInfo(p, OL_MEM_INFO_DEVICE, sizeof of, &of));
    V(of == d);
    C(olGetMemInfoSize(p, OL_MEM_INFO_SIZE, &size));
    V(size);
    C(olGetMemInfoSize(p, OL_MEM_INFO_TYPE, &size));
    V(size);
    C(olGetMemInfo(p, OL_MEM_INFO_LAST, sizeof size, &size));
    C(olGetMemInfoSize(p, OL_MEM_INFO_LAST, &size));
    C(olGetMemInfo(p, OL_MEM_INFO_SIZE, 0, &size));
    C(olGetMemInfo(p, OL_MEM_INFO_SIZE, 4, &size));
    C(olGetMemInfo(p, OL_MEM_INFO_SIZE, 8, NULL));
    C(olGetMemInfo(NULL, OL_MEM_INFO_SIZE, 8, &size));
    C(olMemFree((char *)p + 64));
    C(olMemFree(p));
    C(olMemFree(p));
    C(olGetMemInfo(p, OL_MEM_INFO_SIZE, sizeof size, &size));
  }
  int local;
  C(olMemFree(&local));
  C(olMemFree(NULL));
  C(olGetMemInfo(&local, OL_MEM_INFO_BASE, sizeof base, &base));
}

static void test_register(void) {
  ol_device_handle_t d = gpus[0];
  size_t page = 4096;
  char *block = aligned_alloc(page, 8 * page);
  void *pinned = NULL, *again = NULL;
  C(olMemRegister(d, block, 0, 0, &pinned));
  C(olMemRegister(NULL, block, page, 0, &pinned));
  C(olMemRegister(d, NULL, page, 0, &pinned));
  C(olMemRegister(d, block, page, 0, NULL));
  C(olMemRegister(d, block + page, 2 * page, 0, &pinned));
  V(pinned != NULL);
  C(olMemRegister(d, block + page, 2 * page, 0, &again));
  V(again == pinned);
  C(olMemUnregister(d, block + page));
  C(olMemUnregister(d, block + page));
  C(olMemUnregister(d, block + page));
  C(olMemUnregister(d, block + page));
  C(olMemUnregister(d, block + page));
  C(olMemUnregister(d, block + page));
  C(olMemUnregister(d, block));
  /* LLVM counts rejected registrations as users, so users are not compared. */
  C(olMemRegister(d, block + page, 2 * page, 0, &pinned));
  C(olMemRegister(d, block + page, 4 * page, 0, &again));
  C(olMemRegister(d, block, 2 * page, 0, &again));
  C(olMemUnregister(NULL, block));
  C(olMemUnregister(d, NULL));
  free(block);
}

static void test_copies(void) {
  ol_device_handle_t d = gpus[0];
  ol_queue_handle_t q = NULL;
  enum { N = 1000 };
  int in[N], out[N];
  void *a = NULL, *b = NULL;
  for (int i = 0; i < N; i++) in[i] = i * 7;
  C(olCreateQueue(d, &q));
  C(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, sizeof in, &a));
  C(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, sizeof in, &b));
  for (int queued = 0; queued < 2; queued++) {
    ol_queue_handle_t use = queued ? q : NULL;
    memset(out, 0, sizeof out);
    C(olMemcpy(use, a, d, in, host, sizeof in));
    C(olMemcpy(use, b, d, a, d, sizeof in));
    C(olMemcpy(use, out, host, b, d, sizeof in));
    if (use) C(olSyncQueue(use));
    V(memcmp(in, out, sizeof in) == 0);
    C(olMemcpy(use, NULL, d, in, host, 8));
    C(olMemcpy(use, a, NULL, in, host, 8));
    C(olMemcpy(use, a, d, NULL, host, 8));
    C(olMemcpy(use, a, d, in, NULL, 8));
    C(olMemcpy(use, a, d, in, host, 0));
    C(olMemcpy(use, NULL, NULL, NULL, NULL, 0));
  }
  C(olMemcpy(NULL, out, host, in, host, sizeof in));
  V(memcmp(in, out, sizeof in) == 0);
  C(olMemcpy(q, out, host, in, host, sizeof in));
  static const size_t widths[] = {1, 2, 3, 4, 8, 16, 20};
  for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
    unsigned char pattern[32], got[960];
    for (int i = 0; i < 32; i++) pattern[i] = (unsigned char)(i * 5 + 1);
    C(olMemFill(q, a, widths[k], pattern, sizeof got));
    C(olMemcpy(q, got, host, a, d, sizeof got));
    C(olSyncQueue(q));
    int same = 1;
    for (size_t i = 0; i < sizeof got; i++) same &= got[i] == pattern[i % widths[k]];
    V(same);
    if (widths[k] > 1) C(olMemFill(q, a, widths[k], pattern, sizeof got + 1));
  }
  C(olMemFill(q, NULL, 1, "x", 8));
  C(olMemFill(q, a, 1, NULL, 8));
  C(olMemFill(q, a, 3, NULL, 8));
  C(olMemFree(a));
  C(olMemFree(b));
  C(olDestroyQueue(q));
}

/* LLVM's olCreateEvent and olDestroyQueue do not select the device's context, so the second device
 * has only memory. */
static void test_two_devices(void) {
  void *p[2] = {NULL, NULL};
  ol_device_handle_t of = NULL;
  for (int k = 0; k < 2; k++) {
    C(olMemAlloc(gpus[k], OL_ALLOC_TYPE_DEVICE, 400, &p[k]));
    C(olGetMemInfo(p[k], OL_MEM_INFO_DEVICE, sizeof of, &of));
    V(of == gpus[k]);
  }
  V(p[0] != p[1]);
  for (int k = 0; k < 2; k++) C(olMemFree(p[k]));
}

static void test_queues(void) {
  ol_device_handle_t d = gpus[0], of = NULL;
  ol_queue_handle_t q = NULL, r = NULL, belongs = NULL;
  ol_event_handle_t e = NULL, f = NULL;
  bool is = false;
  size_t size = 0;
  C(olCreateQueue(NULL, &q));
  C(olCreateQueue(d, NULL));
  C(olCreateQueue(d, &q));
  C(olCreateQueue(d, &r));
  V(q != r);
  C(olGetQueueInfo(q, OL_QUEUE_INFO_DEVICE, sizeof of, &of));
  V(of == d);
  C(olGetQueueInfo(q, OL_QUEUE_INFO_EMPTY, sizeof is, &is));
  V(is);
  C(olGetQueueInfoSize(q, OL_QUEUE_INFO_DEVICE, &size));
  V(size);
  C(olGetQueueInfoSize(q, OL_QUEUE_INFO_EMPTY, &size));
  V(size);
  C(olGetQueueInfo(q, OL_QUEUE_INFO_LAST, sizeof of, &of));
  C(olGetQueueInfo(q, OL_QUEUE_INFO_DEVICE, 0, &of));
  C(olGetQueueInfo(q, OL_QUEUE_INFO_DEVICE, 1, &of));
  C(olGetQueueInfo(q, OL_QUEUE_INFO_DEVICE, 8, NULL));
  C(olGetQueueInfo(NULL, OL_QUEUE_INFO_DEVICE, 8, &of));
  C(olGetQueueInfoSize(NULL, OL_QUEUE_INFO_DEVICE, &size));
  C(olGetQueueInfoSize(q, OL_QUEUE_INFO_DEVICE, NULL));
  C(olSyncQueue(q));
  C(olSyncQueue(NULL));
  C(olCreateEvent(NULL, &e));
  C(olCreateEvent(q, NULL));
  C(olCreateEvent(q, &e));
  C(olCreateEvent(r, &f));
  C(olSyncEvent(e));
  C(olSyncEvent(NULL));
  C(olGetEventInfo(e, OL_EVENT_INFO_QUEUE, sizeof belongs, &belongs));
  V(belongs == q);
  C(olGetEventInfo(e, OL_EVENT_INFO_IS_COMPLETE, sizeof is, &is));
  V(is);
  C(olGetEventInfoSize(e, OL_EVENT_INFO_QUEUE, &size));
  V(size);
  C(olGetEventInfoSize(e, OL_EVENT_INFO_IS_COMPLETE, &size));
  V(size);
  C(olGetEventInfo(e, OL_EVENT_INFO_LAST, sizeof is, &is));
  C(olGetEventInfo(e, OL_EVENT_INFO_QUEUE, 0, &belongs));
  C(olGetEventInfo(e, OL_EVENT_INFO_QUEUE, 4, &belongs));
  C(olGetEventInfo(NULL, OL_EVENT_INFO_QUEUE, 8, &belongs));
  C(olGetEventInfoSize(NULL, OL_EVENT_INFO_QUEUE, &size));
  ol_event_handle_t list[] = {e, f, NULL};
  C(olWaitEvents(q, list, 2));
  C(olWaitEvents(q, list, 0));
  C(olWaitEvents(q, list, 3));
  C(olWaitEvents(q, NULL, 0));
  C(olWaitEvents(NULL, list, 2));
  C(olSyncQueue(q));
  C(olDestroyQueue(q));
  C(olSyncEvent(e));
  C(olDestroyEvent(e));
  C(olDestroyEvent(f));
  C(olDestroyEvent(NULL));
  C(olDestroyQueue(r));
  C(olDestroyQueue(NULL));
}

static void count_call(void *data) {
  ++*(int *)data;
}

typedef struct affine {
  u64 environment;
  void *cell;
  u64 mul, add;
} affine;

static void launch(ol_program_handle_t program) {
  ol_device_handle_t d = gpus[0];
  ol_queue_handle_t q = NULL;
  ol_symbol_handle_t empty = NULL, kernel = NULL, grid = NULL, variable = NULL;
  ol_kernel_launch_size_args_t one = {1, {1, 1, 1}, {1, 1, 1}, 0};
  ol_kernel_launch_size_args_t three = {3, {2, 3, 4}, {5, 2, 1}, 0};
  u64 x = 5, cells[240];
  void *cell = NULL, *out = NULL;
  C(olCreateQueue(d, &q));
  C(olGetSymbol(program, "conf_empty", OL_SYMBOL_KIND_KERNEL, &empty));
  C(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_KERNEL, &kernel));
  C(olGetSymbol(program, "conf_grid", OL_SYMBOL_KIND_KERNEL, &grid));
  C(olGetSymbol(program, "conf_global", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &variable));
  C(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, sizeof x, &cell));
  C(olMemAlloc(d, OL_ALLOC_TYPE_DEVICE, sizeof cells, &out));
  C(olMemcpy(NULL, cell, d, &x, host, sizeof x));
  affine arguments = {0, cell, 3, 4};
  C(olLaunchKernel(q, d, kernel, &arguments, sizeof arguments, &one));
  C(olLaunchKernel(q, d, kernel, &arguments, sizeof arguments, &one));
  C(olSyncQueue(q));
  C(olMemcpy(NULL, &x, host, cell, d, sizeof x));
  V(x);
  C(olLaunchKernel(NULL, d, kernel, &arguments, sizeof arguments, &one));
  C(olMemcpy(NULL, &x, host, cell, d, sizeof x));
  V(x);
  struct {
    u64 environment;
    void *out;
  } shape = {0, out};
  C(olLaunchKernel(q, d, grid, &shape, sizeof shape, &three));
  C(olMemcpy(q, cells, host, out, d, sizeof cells));
  C(olSyncQueue(q));
  u64 sum = 0;
  for (int i = 0; i < 240; i++) sum = sum * 31 + cells[i];
  V(sum);
  C(olLaunchKernel(q, NULL, kernel, &arguments, sizeof arguments, &one));
  C(olLaunchKernel(q, d, NULL, &arguments, sizeof arguments, &one));
  C(olLaunchKernel(q, d, kernel, &arguments, sizeof arguments, NULL));
  C(olLaunchKernel(q, d, kernel, NULL, sizeof arguments, &one));
  C(olLaunchKernel(q, d, variable, NULL, 0, &one));
  C(olLaunchKernel(q, gpus[1], kernel, &arguments, sizeof arguments, &one));
  C(olLaunchKernel(NULL, NULL, NULL, NULL, 8, NULL));
  ol_kernel_launch_size_args_t none[] = {
      {1, {0, 1, 1}, {1, 1, 1}, 0}, {1, {1, 0, 0}, {1, 1, 1}, 0}, {1, {1, 1, 1}, {0, 0, 0}, 0}};
  for (int i = 0; i < 3; i++) V(olLaunchKernel(q, d, empty, &x, 8, &none[i]) != OL_SUCCESS);
  C(olSyncQueue(q));
  int called = 0;
  C(olLaunchHostFunction(q, count_call, &called));
  C(olSyncQueue(q));
  V(called);
  C(olLaunchHostFunction(NULL, count_call, &called));
  C(olLaunchHostFunction(q, NULL, &called));
  size_t group = 0;
  C(olCalculateOptimalOccupancy(d, kernel, 0, &group));
  V(group > 0 && group <= 1024);
  C(olCalculateOptimalOccupancy(d, variable, 0, &group));
  C(olCalculateOptimalOccupancy(NULL, kernel, 0, &group));
  C(olCalculateOptimalOccupancy(d, NULL, 0, &group));
  C(olCalculateOptimalOccupancy(d, kernel, 0, NULL));
  ol_queue_handle_t other = NULL;
  ol_event_handle_t event = NULL;
  u64 one_cell = 1;
  C(olCreateQueue(d, &other));
  C(olMemcpy(NULL, cell, d, &one_cell, host, sizeof x));
  for (int i = 0; i < 10; i++) {
    ol_queue_handle_t use = i % 2 ? other : q, next = i % 2 ? q : other;
    C(olLaunchKernel(use, d, kernel, &arguments, sizeof arguments, &one));
    C(olCreateEvent(use, &event));
    C(olWaitEvents(next, &event, 1));
    C(olDestroyEvent(event));
  }
  C(olSyncQueue(q));
  C(olSyncQueue(other));
  C(olMemcpy(NULL, &x, host, cell, d, sizeof x));
  V(x);
  C(olDestroyQueue(other));
  C(olMemFree(cell));
  C(olMemFree(out));
  C(olDestroyQueue(q));
}

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  char *bytes = malloc(1 << 20);
  *size = f && bytes ? fread(bytes, 1, 1 << 20, f) : 0;
  if (f) fclose(f);
  return bytes;
}

static void test_programs(const char *path, const char *foreign) {
  ol_device_handle_t d = gpus[0];
  size_t size, foreign_size, bytes = 0;
  char *image = read_file(path, &size), *other = read_file(foreign, &foreign_size);
  ol_program_handle_t program = NULL, second = NULL;
  ol_symbol_handle_t s = NULL, again = NULL;
  ol_symbol_kind_t kind = OL_SYMBOL_KIND_LAST;
  bool valid = false;
  void *address = NULL, *second_address = NULL;
  V(size > 0 && foreign_size > 0);
  C(olIsValidBinary(d, image, size, &valid));
  V(valid);
  C(olIsValidBinary(d, other, foreign_size, &valid));
  V(valid);
  C(olIsValidBinary(d, "not an image at all", 19, &valid));
  V(valid);
  C(olIsValidBinary(host, image, size, &valid));
  V(valid);
  C(olIsValidBinary(NULL, image, size, &valid));
  C(olIsValidBinary(d, NULL, size, &valid));
  C(olIsValidBinary(d, image, size, NULL));
  C(olCreateProgram(NULL, image, size, &program));
  C(olCreateProgram(d, NULL, size, &program));
  C(olCreateProgram(d, image, size, NULL));
  C(olCreateProgram(d, image, size, &program));
  C(olCreateProgram(d, image, size, &second));
  memset(image, 0, size); /* the library has a copy of the image */
  C(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_KERNEL, &s));
  C(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_KERNEL, &again));
  V(s == again);
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_KIND, sizeof kind, &kind));
  V(kind);
  C(olGetSymbolInfoSize(s, OL_SYMBOL_INFO_KIND, &bytes));
  V(bytes);
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, sizeof address, &address));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_GLOBAL_VARIABLE_SIZE, sizeof bytes, &bytes));
  C(olGetSymbolInfoSize(s, OL_SYMBOL_INFO_GLOBAL_VARIABLE_SIZE, &bytes));
  C(olGetSymbol(program, "absent", OL_SYMBOL_KIND_KERNEL, &s));
  C(olGetSymbol(program, "absent", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &s));
  C(olGetSymbol(NULL, "conf_affine", OL_SYMBOL_KIND_KERNEL, &s));
  C(olGetSymbol(program, NULL, OL_SYMBOL_KIND_KERNEL, &s));
  C(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_KERNEL, NULL));
  C(olGetSymbol(program, "conf_affine", OL_SYMBOL_KIND_LAST, &s));
  C(olGetSymbol(program, "conf_global", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &s));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_KIND, sizeof kind, &kind));
  V(kind);
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_GLOBAL_VARIABLE_SIZE, sizeof bytes, &bytes));
  V(bytes);
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, sizeof address, &address));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_LAST, sizeof address, &address));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_KIND, 0, &kind));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_KIND, 1, &kind));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_KIND, 4, NULL));
  C(olGetSymbolInfo(NULL, OL_SYMBOL_INFO_KIND, 4, &kind));
  C(olGetSymbolInfoSize(NULL, OL_SYMBOL_INFO_KIND, &bytes));
  u64 global[4] = {0};
  C(olMemcpy(NULL, global, host, address, d, sizeof global));
  V(global[0]);
  V(global[1]);
  C(olGetSymbol(second, "conf_global", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &s));
  C(olGetSymbolInfo(s, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, 8, &second_address));
  V(address != second_address);
  launch(program);
  C(olDestroyProgram(second));
  C(olDestroyProgram(program));
  C(olDestroyProgram(NULL));
  free(image);
  free(other);
}

static void test_locations(void) {
  ol_code_location_t here = {"test_locations", "differential.c", 10, 2};
  ol_queue_handle_t q = NULL;
  void *p = NULL;
  ol_result_t r = olMemAllocWithCodeLoc(gpus[0], OL_ALLOC_TYPE_DEVICE, 0, &p, &here);
  report("olMemAllocWithCodeLoc, no bytes", r);
  C(olCreateQueueWithCodeLoc(gpus[0], &q, &here));
  C(olSyncQueueWithCodeLoc(q, &here));
  C(olMemAllocWithCodeLoc(gpus[0], OL_ALLOC_TYPE_DEVICE, 64, &p, &here));
  C(olMemFreeWithCodeLoc(p, &here));
  C(olDestroyQueueWithCodeLoc(q, NULL));
  C(olInitWithCodeLoc(&here));
  C(olShutDownWithCodeLoc(&here));
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  test_start();
  if (!host || gpu_count < 2) return 3;
  test_properties();
  test_memory();
  test_register();
  test_copies();
  test_queues();
  test_programs(argv[1], argv[2]);
  test_locations();
  test_two_devices();
  C(olShutDown());
  C(olShutDown());
  C(olSyncQueue(NULL));
  return 0;
}

/* Measures the time of an empty region on an NVIDIA GPU for several ways to launch and to wait.
 *
 *   latency IMAGE VARIANT [COUNT]    one line: VARIANT unit median 99th-percentile minimum count
 *   latency IMAGE list               the names of the variants
 *   latency PTX cubin FILE           compiles PTX with the driver's compiler
 *
 * A variant ends after 1.5 s, or a watchdog ends the process. Status 77: no GPU, or a function is
 * missing.
 */
#include "tests/gpu/latency/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 100000, WARM_UP = 200, BATCH = 100, MAILBOX_DONE = 32, MAILBOX_WORDS = 96 };

typedef struct bench {
  driver api;
  CUfunction empty, signal, resident;
  CUstream stream;
  CUevent event;
  uint32_t *word; /* host memory that the device writes: MAILBOX_WORDS words */
  CUdeviceptr device_word;
  uint32_t number;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec exec;
} bench;

static bench b;
static uint32_t samples[MOST];

static void fail(const char *call, int status) {
  const char *name = "?";
  cuGetErrorName((CUresult)status, &name);
  fprintf(stderr, "latency: error: %s failed: %s (%d)\n", call, name, status);
  exit(status == CUDA_ERROR_NO_DEVICE || status == CUDA_ERROR_STUB_LIBRARY ? 77 : 1);
}
#define DO(call)                                                                                   \
  do {                                                                                             \
    int status_ = (call);                                                                          \
    if (status_) fail(#call, status_);                                                             \
  } while (0)

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void launch(CUfunction function) {
  uint64_t slot[] = {0, b.device_word, b.number};
  size_t bytes = sizeof slot;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, slot, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  DO(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, b.stream, NULL, extra));
}
static void poll_word(const uint32_t *word) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != b.number) __builtin_ia32_pause();
}

/* --- the variants: each is one empty region, up to the time at which the host observes its end */

static void launch_synchronize(void) {
  launch(b.empty);
  DO(cuStreamSynchronize(b.stream));
}
static void launch_query(void) {
  launch(b.empty);
  int status;
  while ((status = cuStreamQuery(b.stream)) == CUDA_ERROR_NOT_READY) {
  }
  DO(status);
}
static void launch_event(void) {
  launch(b.empty);
  DO(cuEventRecord(b.event, b.stream));
  int status;
  while ((status = cuEventQuery(b.event)) == CUDA_ERROR_NOT_READY) {
  }
  DO(status);
}
static void launch_write_value(void) {
  launch(b.empty);
  DO(b.api.cuStreamWriteValue32_v2(b.stream, b.device_word, b.number, 0));
  poll_word(b.word);
}
static void launch_signal(void) {
  launch(b.signal);
  poll_word(b.word);
}
static void graph_parameters(CUDA_KERNEL_NODE_PARAMS *node, void **extra, void *slot, size_t *bytes,
                             CUfunction function) {
  void *list[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, slot, CU_LAUNCH_PARAM_BUFFER_SIZE, bytes,
                  CU_LAUNCH_PARAM_END};
  memcpy(extra, list, sizeof list);
  *node = (CUDA_KERNEL_NODE_PARAMS){function, 1, 1, 1, 32, 1, 1, 0, NULL, extra, NULL, NULL};
}
static void graph_set(CUfunction function, int create) {
  uint64_t slot[] = {0, b.device_word, b.number};
  size_t bytes = sizeof slot;
  void *extra[5];
  CUDA_KERNEL_NODE_PARAMS node;
  graph_parameters(&node, extra, slot, &bytes, function);
  if (!create) {
    DO(b.api.cuGraphExecKernelNodeSetParams_v2(b.exec, b.node, &node));
    return;
  }
  DO(b.api.cuGraphCreate(&b.graph, 0));
  DO(b.api.cuGraphAddKernelNode_v2(&b.node, b.graph, NULL, 0, &node));
  DO(b.api.cuGraphInstantiateWithFlags(&b.exec, b.graph, 0));
}
static void create_empty_graph(void) {
  graph_set(b.empty, 1);
}
static void create_signal_graph(void) {
  graph_set(b.signal, 1);
}
static void graph_synchronize(void) {
  DO(b.api.cuGraphLaunch(b.exec, b.stream));
  DO(cuStreamSynchronize(b.stream));
}
static void graph_update_synchronize(void) {
  graph_set(b.empty, 0);
  graph_synchronize();
}
static void graph_update_signal(void) {
  graph_set(b.signal, 0);
  DO(b.api.cuGraphLaunch(b.exec, b.stream));
  poll_word(b.word);
}
static void graph_write_value(void) {
  DO(b.api.cuGraphLaunch(b.exec, b.stream));
  DO(b.api.cuStreamWriteValue32_v2(b.stream, b.device_word, b.number, 0));
  poll_word(b.word);
}

/* A batch of kernels is enqueued in advance. Each kernel waits on the device for a word that the
 * host writes. */
static uint32_t enqueued;
static void triggered_signal(void) {
  uint32_t trigger = MAILBOX_DONE;
  /* enqueues the next batch; the few samples that include this time do not change the median */
  if (enqueued < b.number) {
    uint32_t number = b.number;
    for (uint32_t i = 0; i < BATCH; i++) {
      b.number = enqueued + 1;
      DO(b.api.cuStreamWaitValue32_v2(b.stream, b.device_word + 4 * trigger, b.number,
                                      CU_STREAM_WAIT_VALUE_GEQ));
      launch(b.signal);
      enqueued++;
    }
    b.number = number;
    usleep(200);
  }
  uint64_t begin = now_ns();
  __atomic_store_n(&b.word[trigger], b.number, __ATOMIC_RELEASE);
  poll_word(b.word);
  /* measure() uses this time and does not measure again */
  samples[0] = (uint32_t)(now_ns() - begin);
}

static void start_resident_warps(unsigned warps, uint64_t lease_ns) {
  uint64_t slot[] = {0, b.device_word, lease_ns, 1900000000};
  size_t bytes = sizeof slot;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, slot, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  DO(cuLaunchKernel(b.resident, 1, 1, 1, 32 * warps, 1, 1, 0, b.stream, NULL, extra));
}
static void start_resident(void) {
  start_resident_warps(1, 1900000000);
}
static void start_resident_4(void) {
  start_resident_warps(4, 1900000000);
}
static void resident(void) {
  __atomic_store_n(&b.word[0], b.number, __ATOMIC_RELEASE);
  poll_word(&b.word[MAILBOX_DONE]);
}

enum { GRAPH = 1, WRITE = 2, WAIT = 4, OWN_TIME = 8 };
static const struct variant {
  const char *name;
  void (*prepare)(void), (*region)(void);
  int needs;
} variants[] = {
    {"launch_synchronize", NULL, launch_synchronize, 0},
    {"launch_query", NULL, launch_query, 0},
    {"launch_event", NULL, launch_event, 0},
    {"launch_write_value", NULL, launch_write_value, WRITE},
    {"launch_signal", NULL, launch_signal, 0},
    {"graph_synchronize", create_empty_graph, graph_synchronize, GRAPH},
    {"graph_update_synchronize", create_empty_graph, graph_update_synchronize, GRAPH},
    {"graph_update_signal", create_signal_graph, graph_update_signal, GRAPH},
    {"graph_write_value", create_empty_graph, graph_write_value, GRAPH | WRITE},
    {"triggered_signal", NULL, triggered_signal, WAIT | OWN_TIME},
    {"resident", start_resident, resident, 0},
    {"resident_4_warps", start_resident_4, resident, 0},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static int compare(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, c = *(const uint32_t *)y;
  return (a > c) - (a < c);
}

static void measure(const struct variant *v, uint32_t count) {
  uint64_t limit = now_ns() + 1500000000;
  alarm(4);
  if (v->prepare) v->prepare();
  uint32_t n = 0;
  for (uint32_t i = 0; i < WARM_UP + count && now_ns() < limit; i++) {
    b.number = i + 1;
    uint64_t begin = now_ns();
    v->region();
    uint32_t ns = (uint32_t)(now_ns() - begin);
    if (v->needs & OWN_TIME) ns = samples[0];
    if (i < WARM_UP) continue;
    samples[1 + n++] = ns;
    if (n == MOST - 1) break;
  }
  if (v->needs & WAIT) __atomic_store_n(&b.word[MAILBOX_DONE], UINT32_MAX, __ATOMIC_RELEASE);
  qsort(samples + 1, n, sizeof *samples, compare);
  if (!n) fail("no sample within the time limit", 0);
  printf("%s ns %u %u %u %u\n", v->name, samples[1 + n / 2], samples[1 + (uint64_t)n * 99 / 100],
         samples[1], n);
  fflush(stdout);
}

static void find_functions(void) {
#define XX(name, parameters) *(void **)&b.api.name = dlsym(RTLD_DEFAULT, #name);
  LATENCY_FUNCTIONS(XX)
#undef XX
}
static const char *missing(int needs) {
  if (needs & GRAPH && !b.api.cuGraphExecKernelNodeSetParams_v2) return "CUDA graphs";
  if (needs & WRITE && !b.api.cuStreamWriteValue32_v2) return "cuStreamWriteValue32";
  if (needs & WAIT && !b.api.cuStreamWaitValue32_v2) return "cuStreamWaitValue32";
  return NULL;
}
static char *read_file(const char *path) {
  static char data[1 << 20];
  FILE *f = fopen(path, "rb");
  if (!f || !fread(data, 1, sizeof data - 1, f)) {
    fprintf(stderr, "latency: error: cannot read %s\n", path);
    exit(2);
  }
  fclose(f);
  return data;
}
static void open_device(void) {
  CUcontext context;
  CUdevice device;
  DO(cuInit(0));
  DO(cuDeviceGet(&device, 0));
  (void)cuDevicePrimaryCtxSetFlags_v2(device, CU_CTX_SCHED_SPIN);
  DO(cuDevicePrimaryCtxRetain(&context, device));
  DO(cuCtxSetCurrent(context));
}
static int write_cubin(char *ptx, const char *path) {
  CUlinkState state;
  void *cubin;
  size_t bytes;
  if (!b.api.cuLinkComplete) return 77;
  DO(b.api.cuLinkCreate_v2(0, NULL, NULL, &state));
  DO(b.api.cuLinkAddData_v2(state, CU_JIT_INPUT_PTX, ptx, strlen(ptx) + 1, "kernels", 0, NULL,
                            NULL));
  DO(b.api.cuLinkComplete(state, &cubin, &bytes));
  FILE *f = fopen(path, "wb");
  return f && fwrite(cubin, 1, bytes, f) == bytes && !fclose(f) ? 0 : 2;
}

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[2], "list")) {
    for (int i = 0; i < VARIANTS; i++) puts(variants[i].name);
    return 0;
  }
  if (argc < 3) {
    fprintf(stderr, "usage: latency IMAGE list | IMAGE VARIANT [COUNT] | PTX cubin FILE\n");
    return 2;
  }
  find_functions();
  char *image = read_file(argv[1]);
  open_device();
  if (!strcmp(argv[2], "cubin")) return write_cubin(image, argc > 3 ? argv[3] : "kernels.cubin");
  const struct variant *v = variants;
  while (v < variants + VARIANTS && strcmp(v->name, argv[2])) v++;
  if (v == variants + VARIANTS) {
    fprintf(stderr, "latency: error: no variant '%s'\n", argv[2]);
    return 2;
  }
  if (missing(v->needs)) {
    printf("%s skipped: the driver lacks %s\n", v->name, missing(v->needs));
    return 77;
  }
  CUmodule module;
  void *host;
  DO(cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
  DO(cuModuleGetFunction(&b.empty, module, "latency_empty"));
  DO(cuModuleGetFunction(&b.signal, module, "latency_signal"));
  DO(cuModuleGetFunction(&b.resident, module, "latency_resident"));
  DO(cuStreamCreate(&b.stream, CU_STREAM_NON_BLOCKING));
  DO(cuEventCreate(&b.event, CU_EVENT_DISABLE_TIMING));
  DO(cuMemHostAlloc(&host, 4096, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  memset(host, 0, 4096);
  b.word = host;
  DO(cuMemHostGetDevicePointer_v2(&b.device_word, host, 0));
  measure(v, argc > 3 ? (uint32_t)atoi(argv[3]) : MOST);
  /* does not wait for a resident kernel, which ends after its time limit */
  _exit(0);
}

/* Overhead of solo over the HSA runtime: the same launches and copies by AQL packets (limit) and
 * through the interface of compiled code (dropin). Exit status 77: no device. Copies are in ns per
 * KiB. BENCH_HSA_IMAGE: code object instead of those of bench/build.sh. */
#define _POSIX_C_SOURCE 200809L
#include "bench/gpu_question.h"

enum { MOST = 64 << 20 };

#ifdef _OPENMP
#include "bench/gpu_regions.h"

static void add_image(const char *path) {
  size_t size;
  char *bytes = gpu_read_file(path, &size);
  if (bytes) gpu_add_image(bytes, size);
}
static int set_up(void) {
  return gpu_open(MOST);
}

#else /* contestant `limit` */
#include "backends/hsa/hsa_api.h"

enum { QUEUE = 256, SEGMENT = 4096, IMAGES = 16 };
static struct {
  char *bytes;
  size_t size;
} images[IMAGES];
static int image_count;
static hsa_agent_t gpu, host;
static hsa_amd_memory_pool_t gpu_pool, host_pool, kernarg_pool;
static hsa_queue_t *queue;
static hsa_signal_t completion;
static uint64_t nothing, add;
static char *segment, *words;

static void add_image(const char *path) {
  if (image_count == IMAGES) return;
  images[image_count].bytes = gpu_read_file(path, &images[image_count].size);
  image_count += images[image_count].bytes != NULL;
}

/* Writes the explicit and implicit arguments of code object version 5. */
static void fill_segment(const uint64_t *slots, size_t count, uint16_t threads) {
  const uint32_t blocks[] = {1, 1, 1};
  const uint16_t group[] = {threads, 1, 1}, dimensions = 1;
  uint64_t address = (uint64_t)(uintptr_t)queue;
  char *hidden = segment + 8 * count;
  memset(segment, 0, SEGMENT);
  memcpy(segment, slots, 8 * count);
  memcpy(hidden, blocks, sizeof blocks);
  memcpy(hidden + 12, group, sizeof group);
  memcpy(hidden + 64, &dimensions, sizeof dimensions);
  memcpy(hidden + 200, &address, sizeof address);
}

static void wait_for_completion(void) {
  while (hsa_signal_load_scacquire(completion) > 0) {
  }
}

static void dispatch(uint64_t kernel, uint16_t threads) {
  uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
  hsa_kernel_dispatch_packet_t *slot =
      (hsa_kernel_dispatch_packet_t *)queue->base_address + index % QUEUE;
  hsa_kernel_dispatch_packet_t packet = {.workgroup_size_x = threads,
                                         .workgroup_size_y = 1,
                                         .workgroup_size_z = 1,
                                         .grid_size_x = threads,
                                         .grid_size_y = 1,
                                         .grid_size_z = 1,
                                         .kernel_object = kernel,
                                         .kernarg_address = segment,
                                         .completion_signal = completion};
  uint32_t word = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                  1u << HSA_PACKET_HEADER_BARRIER |
                  HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                  HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE | 1u << 16;
  hsa_signal_store_screlease(completion, 1);
  memcpy((char *)slot + 4, (char *)&packet + 4, sizeof packet - 4);
  __atomic_store_n((uint32_t *)(void *)slot, word, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
  wait_for_completion();
}

static void gpu_launch(long n, long unused) {
  (void)unused;
  const uint64_t slots[] = {0};
  for (long i = 0; i < n; i++) {
    fill_segment(slots, 1, 1);
    dispatch(nothing, 1);
  }
}

static void gpu_present(long n, long unused) {
  (void)unused;
  const uint64_t slots[] = {0, (uint64_t)(uintptr_t)words, GPU_ELEMENTS, 1};
  for (long i = 0; i < n; i++) {
    fill_segment(slots, 4, GPU_ELEMENTS);
    dispatch(add, GPU_ELEMENTS);
  }
}

static void gpu_enter(long unused) {
  (void)unused;
}

static void gpu_copy(long n, char *to, char *from, long bytes, int to_device) {
  for (long i = 0; i < n; i++) {
    hsa_signal_store_screlease(completion, 1);
    gpu_check(hsa_amd_memory_async_copy(to, to_device ? gpu : host, from, to_device ? host : gpu,
                                        (size_t)bytes, 0, NULL, completion),
              "copy");
    wait_for_completion();
  }
}

static hsa_status_t see_agent(hsa_agent_t agent, void *unused) {
  hsa_device_type_t type;
  (void)unused;
  hsa_status_t result = hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
  if (type == HSA_DEVICE_TYPE_GPU && !gpu.handle) gpu = agent;
  if (type == HSA_DEVICE_TYPE_CPU && !host.handle) host = agent;
  return result;
}

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *of_gpu) {
  hsa_amd_segment_t kind;
  uint32_t flags = 0;
  gpu_check(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &kind), "pool");
  if (kind != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  gpu_check(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags),
            "pool");
  if (of_gpu) {
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) gpu_pool = pool;
  } else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) {
    kernarg_pool = pool;
  } else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) {
    host_pool = pool;
  }
  return HSA_STATUS_SUCCESS;
}

static char *allocate(hsa_amd_memory_pool_t pool, size_t bytes) {
  void *at = NULL;
  gpu_check(hsa_amd_memory_pool_allocate(pool, bytes, 0, &at), "memory");
  if (pool.handle != gpu_pool.handle)
    gpu_check(hsa_amd_agents_allow_access(1, &gpu, NULL, at), "access");
  return at;
}

static uint64_t kernel(hsa_executable_t executable, const char *name) {
  hsa_executable_symbol_t symbol;
  uint64_t object = 0;
  gpu_check(hsa_executable_get_symbol_by_name(executable, name, &gpu, &symbol), name);
  gpu_check(
      hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object),
      name);
  return object;
}

/* Loads the first image that the agent accepts. Returns 0 if there is none. */
static int load(void) {
  for (int i = 0; i < image_count; i++) {
    hsa_code_object_reader_t reader;
    hsa_executable_t executable;
    gpu_check(hsa_code_object_reader_create_from_memory(images[i].bytes, images[i].size, &reader),
              "reading code");
    gpu_check(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                        NULL, &executable),
              "executable");
    if (hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL) ==
            HSA_STATUS_SUCCESS &&
        hsa_executable_freeze(executable, NULL) == HSA_STATUS_SUCCESS) {
      nothing = kernel(executable, "sim_nothing.kd");
      add = kernel(executable, "sim_add.kd");
      return 1;
    }
  }
  return 0;
}

static int set_up(void) {
  const char *words_for = NULL;
  if (!hsa_init) return gpu_report_missing("raw packets", "no libhsa-runtime64.so.1");
  hsa_status_t result = hsa_init();
  if (result == HSA_STATUS_SUCCESS) result = hsa_iterate_agents(see_agent, NULL);
  if (result != HSA_STATUS_SUCCESS) (void)hsa_status_string(result, &words_for);
  if (result != HSA_STATUS_SUCCESS || !gpu.handle)
    return gpu_report_missing("raw packets", words_for ? words_for : "none");
  gpu_check(hsa_amd_agent_iterate_memory_pools(host, see_pool, NULL), "pools");
  host_pool = host_pool.handle ? host_pool : kernarg_pool;
  gpu_check(hsa_amd_agent_iterate_memory_pools(gpu, see_pool, &gpu), "pools");
  if (!load()) return gpu_report_missing("raw packets", "none of the code objects is for this GPU");
  gpu_check(hsa_queue_create(gpu, QUEUE, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX,
                             &queue),
            "queue");
  gpu_check(hsa_signal_create(0, 0, NULL, &completion), "signal");
  segment = allocate(kernarg_pool, SEGMENT);
  words = allocate(gpu_pool, GPU_ELEMENTS * sizeof(int));
  gpu_device = allocate(gpu_pool, MOST);
  gpu_pinned = allocate(host_pool, MOST);
  return 0;
}
#endif

#define COPIES(kind)                                                                               \
  GPU_COPY("hsa", kind, "4Ki", 4 << 10, BENCH_IN_QUICK),                                           \
      GPU_COPY("hsa", kind, "1Mi", 1 << 20, BENCH_IN_QUICK),                                       \
      GPU_COPY("hsa", kind, "64Mi", MOST, BENCH_IN_QUICK)

static const bench_case cases[] = {
    {.name = "hsa/launch", .loop = gpu_launch},
    {.name = "hsa/launch_present", .loop = gpu_present, .before = gpu_enter},
    COPIES(pinned_in),
    COPIES(pinned_out),
#ifdef _OPENMP /* copy engines require pinned memory */
    COPIES(pageable_in),
    COPIES(pageable_out),
#endif
};

int main(int argc, char **argv) {
  static const char *const processors[] = {"gfx900", "gfx906",  "gfx908", "gfx90a",
                                           "gfx942", "gfx1030", "gfx1100"};
  const char *own = getenv("BENCH_HSA_IMAGE");
  char path[512];
  if (own) add_image(own);
  for (size_t i = 0; !own && i < sizeof processors / sizeof *processors; i++) {
    snprintf(path, sizeof path, "%s.%s.co", argv[0], processors[i]);
    add_image(path);
  }
  int status = set_up();
  if (status) return status;
  gpu_touch(MOST);
  return bench_cases(argc, argv, cases, sizeof cases / sizeof cases[0]);
}

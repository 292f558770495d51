#include "backends/hsa/hsa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENT_TIMESTAMP_FREQUENCY = 0xA016 }; /* missing in Debian's headers */
enum { DEFAULT_THREADS = 256, TEAMS_PER_UNIT = 4 };

static solo_status find_runtime(void) {
#if SOLO_DRIVER_WEAK
  if (!hsa_init)
    return solo_fail(
        SOLO_UNAVAILABLE,
        "hsa: no runtime library (libhsa-runtime64.so.1) in this process; ldd shows "
        "whether the program looks for it (through libsolo_drv.so), ldconfig -p whether "
        "the machine has it");
#define XX(name)                                                                                   \
  if (!name)                                                                                       \
    return solo_fail(SOLO_UNAVAILABLE,                                                             \
                     "hsa: the runtime library in this process has no " #name ": it is too old");
  SOLO_HSA_FUNCTIONS(XX)
#undef XX
#endif
  return SOLO_OK;
}

typedef struct agents {
  hsa_agent_t gpu[SOLO_HSA_MOST_DEVICES], host;
  int gpus, hosts;
} agents;

static hsa_status_t see_agent(hsa_agent_t agent, void *data) {
  agents *seen = data;
  hsa_device_type_t type;
  hsa_status_t result = hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
  if (result != HSA_STATUS_SUCCESS) return result;
  if (type == HSA_DEVICE_TYPE_GPU && seen->gpus < SOLO_HSA_MOST_DEVICES)
    seen->gpu[seen->gpus++] = agent;
  if (type == HSA_DEVICE_TYPE_CPU && seen->hosts++ == 0) seen->host = agent;
  return HSA_STATUS_SUCCESS;
}

/* Initialises the runtime, which is never shut down. */
static hsa_status_t list_agents(agents *out) {
  static _Atomic int started;
  memset(out, 0, sizeof *out);
  if (!solo_load_acquire(&started)) { /* pairs with the release store below in list_agents() */
    hsa_status_t result = hsa_init();
    if (result != HSA_STATUS_SUCCESS) return result;
    /* Ordering:  this release store pairs with the acquire load above in list_agents(). Publishes
     *            the result of hsa_init(). */
    solo_store_release(&started, 1);
  }
  return hsa_iterate_agents(see_agent, out);
}

solo_status solo_hsa_device_count(int *out_count) {
  agents seen;
  *out_count = 0;
  SOLO_TRY(find_runtime());
  hsa_status_t result = list_agents(&seen);
  if (result != HSA_STATUS_SUCCESS)
    return solo_hsa_fail_start(result, "the runtime does not start");
  if (seen.gpus == 0 || seen.hosts == 0)
    return solo_fail(SOLO_UNAVAILABLE, "hsa: the runtime finds no GPU: compare with rocminfo, and "
                                       "check ROCR_VISIBLE_DEVICES if it is set");
  *out_count = seen.gpus;
  return SOLO_OK;
}

static solo_lock open_lock = SOLO_LOCK_INIT(SOLO_RANK_DRIVER);
static solo_bdevice *open_devices;

/* Runs on a thread of the HSA runtime. Returns HSA_STATUS_ERROR for faults that solo's devices did
 * not cause. */
static hsa_status_t on_event(const hsa_amd_event_t *event, void *unused) {
  hsa_status_t result = HSA_STATUS_ERROR;
  (void)unused;
  if (event->event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT) return result;
  solo_lock_acquire(&open_lock);
  for (solo_bdevice *device = open_devices; device; device = device->next)
    if (device->agent.handle == event->memory_fault.agent.handle) {
      solo_hsa_mark_lost(device, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT,
                         "a kernel accessed the invalid address 0x%llx",
                         (unsigned long long)event->memory_fault.virtual_address);
      result = HSA_STATUS_SUCCESS;
    }
  solo_lock_release(&open_lock);
  return result;
}

static void watch(solo_bdevice *device) {
  static int registered;
  solo_lock_acquire(&open_lock);
  /* fails if user code has installed another handler */
  if (!registered) registered = hsa_amd_register_system_event_handler(on_event, NULL) == 0;
  device->next = open_devices;
  open_devices = device;
  solo_lock_release(&open_lock);
}

static void unwatch(solo_bdevice *device) {
  solo_lock_acquire(&open_lock);
  for (solo_bdevice **at = &open_devices; *at; at = &(*at)->next)
    if (*at == device) {
      *at = device->next;
      break;
    }
  solo_lock_release(&open_lock);
}

void solo_hsa_devices_open(solo_hsa_open_devices *out) {
  out->count = 0;
  solo_lock_acquire(&open_lock);
  for (const solo_bdevice *device = open_devices; device; device = device->next) {
    if (out->count == SOLO_HSA_MOST_DEVICES) break;
    out->agents[out->count] = device->agent;
    out->ordinals[out->count++] = device->ordinal;
  }
  solo_lock_release(&open_lock);
}

typedef struct pools {
  hsa_amd_memory_pool_t coarse, fine, kernarg;
  int has_coarse, has_fine, has_kernarg;
  size_t coarse_bytes, group_bytes;
} pools;

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *data) {
  pools *p = data;
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  size_t bytes = 0;
  bool may_allocate = false;
  hsa_status_t result =
      hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  if (result == HSA_STATUS_SUCCESS)
    result = hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes);
  if (result != HSA_STATUS_SUCCESS) return result;
  if (segment == HSA_AMD_SEGMENT_GROUP) p->group_bytes = bytes;
  if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  result = hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  if (result == HSA_STATUS_SUCCESS)
    result = hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
                                          &may_allocate);
  if (result != HSA_STATUS_SUCCESS || !may_allocate) return result;
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) && !p->has_coarse++) {
    p->coarse = pool;
    p->coarse_bytes = bytes;
  }
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)) return HSA_STATUS_SUCCESS;
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) && !p->has_kernarg++)
    p->kernarg = pool;
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) && !p->has_fine++) p->fine = pool;
  return HSA_STATUS_SUCCESS;
}

/* If the kernarg pool is the host's only fine-grained pool, it also provides host memory. */
static solo_status find_pools(solo_bdevice *device, solo_device_info *info) {
  pools own = {0}, host = {0};
  SOLO_HSA_TRY(device, hsa_amd_agent_iterate_memory_pools(device->agent, see_pool, &own),
               "listing the device's memory pools");
  SOLO_HSA_TRY(device, hsa_amd_agent_iterate_memory_pools(device->host, see_pool, &host),
               "listing the host's memory pools");
  if (!own.has_coarse || !host.has_kernarg)
    return solo_fail(SOLO_UNAVAILABLE,
                     "hsa: device %d has no memory pool, or the host "
                     "has none for kernel arguments",
                     device->ordinal);
  device->device_pool = own.coarse;
  device->kernarg_pool = host.kernarg;
  device->host_pool = host.has_fine ? host.fine : host.kernarg;
  device->max_shared = own.group_bytes ? (uint32_t)own.group_bytes : 64 << 10;
  info->memory_bytes = own.coarse_bytes;
  info->max_shared_bytes = device->max_shared;
  return SOLO_OK;
}

static hsa_status_t see_isa(hsa_isa_t isa, void *data) {
  char name[128] = "";
  uint32_t length = 0;
  solo_target_id id;
  char *target = data;
  hsa_status_t result = hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length);
  if (result != HSA_STATUS_SUCCESS) return result;
  if (length >= sizeof name) return HSA_STATUS_SUCCESS;
  result = hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name);
  if (result != HSA_STATUS_SUCCESS) return result;
  if (target[0] || solo_target_parse(name, &id) != SOLO_OK) return HSA_STATUS_SUCCESS;
  /* the first target is the device's own; generic targets follow */
  solo_target_format(&id, target);
  return HSA_STATUS_SUCCESS;
}

typedef struct attribute {
  int key;
  void *out;
} attribute;

static const solo_foreign_runtime foreign = {7, 1, "hsa", "amd", NULL};

static solo_status describe(solo_bdevice *device, solo_device_info *info) {
  uint32_t waves = 0;
  hsa_dim3_t grid = {0, 0, 0};
  const attribute wanted[] = {
      {HSA_AGENT_INFO_WAVEFRONT_SIZE, &info->warp_size},
      {HSA_AGENT_INFO_WORKGROUP_MAX_SIZE, &device->max_threads},
      {HSA_AGENT_INFO_GRID_MAX_DIM, &grid},
      {HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &info->compute_units},
      {HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, &waves},
      {HSA_AMD_AGENT_INFO_PRODUCT_NAME, info->name},
      {HSA_AMD_AGENT_INFO_UUID, info->uid},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    SOLO_HSA_TRY(
        device, hsa_agent_get_info(device->agent, (hsa_agent_info_t)wanted[i].key, wanted[i].out),
        "reading a property of device %d (0x%x)", device->ordinal, (unsigned)wanted[i].key);
  info->name[sizeof info->name - 1] = 0;
  info->uid[sizeof info->uid - 1] = 0;
  SOLO_HSA_TRY(device, hsa_agent_iterate_isas(device->agent, see_isa, device->target),
               "reading the instruction set of device %d", device->ordinal);
  if (!device->target[0])
    return solo_fail(SOLO_UNAVAILABLE, "hsa: device %d has an instruction set without a name",
                     device->ordinal);
  snprintf(info->arch, sizeof info->arch, "%s", device->target);
  info->flags = SOLO_DEVICE_HAS_RTL | SOLO_DEVICE_HEAP_FROM_HOST | solo_hsa_unified_flags(device);
  info->max_threads = device->max_threads;
  info->default_threads =
      DEFAULT_THREADS < device->max_threads ? DEFAULT_THREADS : device->max_threads;
  info->default_teams = info->compute_units * TEAMS_PER_UNIT;
  info->max_teams = grid.x && device->max_threads ? grid.x / device->max_threads : UINT16_MAX;
  device->max_teams = info->max_teams;
  /* in wavefronts, as in LLVM's plugin; omp_get_num_procs() in kernels returns this number */
  info->hardware_threads = (uint64_t)info->compute_units * waves;
  if (hsa_agent_get_info(device->agent, (hsa_agent_info_t)AGENT_TIMESTAMP_FREQUENCY,
                         &info->clock_hz) != HSA_STATUS_SUCCESS)
    info->clock_hz = 100000000; /* frequency of s_memrealtime if the runtime reports none */
  snprintf(info->init_kernel, sizeof info->init_kernel, "amdgcn.device.init");
  snprintf(info->fini_kernel, sizeof info->fini_kernel, "amdgcn.device.fini");
  info->foreign = &foreign;
  info->unified_hint = "AMD GPUs that support page faults have it with HSA_XNACK=1";
  info->inline_data_reads = SOLO_HSA_INLINE_READS;
  return find_pools(device, info);
}

solo_status solo_hsa_device_open(int ordinal, int number, solo_bdevice **out_device,
                                 solo_device_info *out_info) {
  agents seen;
  solo_device_info info = {.name = ""};
  SOLO_TRY(find_runtime());
  SOLO_HSA_TRY(NULL, list_agents(&seen), "opening device %d", ordinal);
  if (ordinal < 0 || ordinal >= seen.gpus)
    return solo_fail(SOLO_INVALID, "hsa: no device %d: there are %d", ordinal, seen.gpus);
  solo_bdevice *device = calloc(1, sizeof *device);
  if (!device) return solo_fail(SOLO_NOMEM, "hsa: no memory for a device");
  solo_lock_init(&device->lock, SOLO_RANK_DRIVER_QUEUE);
  device->agent = seen.gpu[ordinal];
  device->host = seen.host;
  device->ordinal = ordinal;
  device->number = number;
  solo_status status = describe(device, &info);
  if (status != SOLO_OK) {
    free(device);
    return status;
  }
  watch(device);
  *out_info = info;
  *out_device = device;
  return SOLO_OK;
}

void solo_hsa_device_close(solo_bdevice *device) {
  unwatch(device);
  for (int i = 0; i < SOLO_HSA_HARDWARE_QUEUES; i++) solo_hsa_hardware_close(&device->hardware[i]);
  solo_hsa_completions_close(device);
  solo_hsa_grants_close(device);
  for (solo_bkernel *kernel = device->retired, *next; kernel; kernel = next) {
    next = kernel->next;
    free(kernel);
  }
  free(device);
}

solo_status solo_hsa_native_handle(solo_bdevice *device, solo_bqueue *queue, solo_native_kind kind,
                                   void **out_handle) {
  switch (kind) {
  case SOLO_NATIVE_DEVICE:
    *out_handle = (void *)(uintptr_t)device->agent.handle;
    return SOLO_OK;
  case SOLO_NATIVE_QUEUE:
    if (!queue) return solo_fail(SOLO_INVALID, "hsa: an hsa_queue_t requires a queue");
    *out_handle = queue->hardware->queue;
    return SOLO_OK;
  default:
    return solo_fail(SOLO_UNSUPPORTED, "hsa: no native handle of kind %d", (int)kind);
  }
}

#include "abi/memspace.h"
#include "abi/memory_nodes.h"
#include "abi/policy.h"
#include "abi/tgt.h"
#include "runtime/base/lock.h"
#include "runtime/device/transfer.h"
#include "runtime/host_threads.h"

#include <stdlib.h>
#include <unistd.h>

static solo_lock lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF);
static solo_memspace *spaces;

typedef struct choice {
  solo_device *gpu; /* device with separate memory; NULL: none */
  int gpus;
  int apart; /* number of GPUs that cannot access all host memory */
  int host;  /* 1: the host or a CPU device is requested */
} choice;

/* libomp's allocators support only predefined spaces. */
static int has_solo_allocators(void) {
  return &solo_host_threads != NULL;
}

static int is_predefined_host(omp_memspace_handle_t space) {
  return space == SOLO_MEMSPACE_DEFAULT || (uintptr_t)space <= omp_low_lat_mem_space;
}

static omp_memspace_handle_t handle_of(const solo_memspace *space) {
  return (omp_memspace_handle_t)(uintptr_t)space;
}

static omp_memspace_handle_t find_or_make(const solo_memspace *wanted) {
  solo_lock_acquire(&lock);
  solo_memspace *s = spaces;
  while (s && (s->kind != wanted->kind || s->device != wanted->device ||
               s->shared != wanted->shared || s->nodes != wanted->nodes))
    s = s->next;
  if (!s && (s = malloc(sizeof *s))) {
    *s = *wanted;
    s->next = spaces;
    spaces = s;
  }
  solo_lock_release(&lock);
  return handle_of(s);
}

static int add_device(choice *c, int number) {
  solo_device *device;
  if (tgt_is_host(number)) {
    c->host = 1;
    return 1;
  }
  if (tgt_get_device(number, &device) != SOLO_OK) return 0;
  if (solo_device_is_synchronous(device) && (device->info.flags & SOLO_DEVICE_UNIFIED_ADDRESSES)) {
    c->host = 1;
    return 1;
  }
  if (c->gpu == device) return 1;
  c->gpu = device;
  c->gpus++;
  c->apart += !device->unified;
  return 1;
}

/* Allocates one byte, because only an allocation shows whether device and host can share memory. */
static int has_shared(solo_device *device) {
  void *address;
  if (solo_memory_alloc(device, 1, SOLO_MEMORY_SHARED, &address) != SOLO_OK) return 0;
  return solo_memory_free(device, address, SOLO_MEMORY_SHARED) == SOLO_OK;
}

static omp_memspace_handle_t choose(const choice *c, omp_memspace_handle_t kind) {
  if (!c->gpu) return c->host ? kind : omp_null_mem_space;
  if (!c->apart && (c->host || c->gpus > 1)) return kind; /* all devices can access host memory */
  if (c->gpus > 1 || (c->host && !has_shared(c->gpu))) return omp_null_mem_space;
  if (has_solo_allocators()) {
    solo_memspace wanted = {.kind = kind, .device = c->gpu->number, .shared = c->host};
    return find_or_make(&wanted);
  }
  if (c->gpu->number != tgt_default_device()) return omp_null_mem_space;
  return c->host ? llvm_omp_target_shared_mem_space : llvm_omp_target_device_mem_space;
}

static omp_memspace_handle_t space_of(int count, const int *devices, int host,
                                      omp_memspace_handle_t kind) {
  choice c = {.host = host};
  /* omp_default_mem_space is 0 in Clang 19, but a result of 0 means failure. Therefore the result is another space with the
   * same memory: SOLO_MEMSPACE_DEFAULT (99), or with libomp 19, which aborts for 99, omp_large_cap_mem_space. */
  if (kind == omp_null_mem_space)
    kind = has_solo_allocators() ? SOLO_MEMSPACE_DEFAULT : omp_large_cap_mem_space;
  if (!is_predefined_host(kind) || count < 0 || (count && !devices)) return omp_null_mem_space;
  for (int i = 0; i < count; i++)
    if (!add_device(&c, devices[i])) return omp_null_mem_space;
  return choose(&c, kind);
}

static omp_memspace_handle_t space_of_all(omp_memspace_handle_t kind) {
  int devices[SOLO_MAX_DEVICES], count = omp_get_num_devices();
  if (count > SOLO_MAX_DEVICES) count = SOLO_MAX_DEVICES;
  for (int i = 0; i < count; i++) devices[i] = i;
  return space_of(count, devices, 1, kind);
}

SOLO_EXPORT omp_memspace_handle_t omp_get_devices_memspace(int count, const int *devices,
                                                           omp_memspace_handle_t kind) {
  return count > 0 ? space_of(count, devices, 0, kind) : omp_null_mem_space;
}

SOLO_EXPORT omp_memspace_handle_t omp_get_device_memspace(int device, omp_memspace_handle_t kind) {
  return space_of(1, &device, 0, kind);
}

SOLO_EXPORT omp_memspace_handle_t omp_get_devices_and_host_memspace(int count, const int *devices,
                                                                    omp_memspace_handle_t kind) {
  return space_of(count, devices, 1, kind);
}

SOLO_EXPORT omp_memspace_handle_t omp_get_device_and_host_memspace(int device,
                                                                   omp_memspace_handle_t kind) {
  return space_of(1, &device, 1, kind);
}

SOLO_EXPORT omp_memspace_handle_t omp_get_devices_all_memspace(omp_memspace_handle_t kind) {
  return space_of_all(kind);
}

/* Returns the mask of NUMA nodes; 0: device memory, or not a space. */
static uint64_t nodes_of(omp_memspace_handle_t handle) {
  const solo_memspace *space = solo_memspace_of(handle);
  if (space) return space->device == SOLO_MEMSPACE_HOST ? space->nodes : 0;
  return is_predefined_host(handle) ? solo_numa_nodes() : 0;
}

static int is_space(omp_memspace_handle_t handle) {
  return solo_memspace_of(handle) || is_predefined_host(handle) ||
         (handle >= llvm_omp_target_host_mem_space && handle <= llvm_omp_target_device_mem_space);
}

SOLO_EXPORT int omp_get_memspace_num_resources(omp_memspace_handle_t handle) {
  uint64_t nodes = nodes_of(handle);
  return nodes ? __builtin_popcountll(nodes) : is_space(handle);
}

SOLO_EXPORT size_t omp_get_memspace_pagesize(omp_memspace_handle_t handle) {
  return is_space(handle) ? (size_t)sysconf(_SC_PAGESIZE) : 0;
}

SOLO_EXPORT omp_memspace_handle_t omp_get_submemspace(omp_memspace_handle_t handle, int count,
                                                      const int *resources) {
  int all = omp_get_memspace_num_resources(handle);
  uint64_t nodes = nodes_of(handle), chosen = 0;
  if (count <= 0 || !resources) return omp_null_mem_space;
  for (int i = 0; i < count; i++) {
    if (resources[i] < 0 || resources[i] >= all) return omp_null_mem_space;
    chosen |= solo_numa_node_at(nodes, resources[i]);
  }
  if (chosen == nodes) return handle;
  if (!has_solo_allocators()) return omp_null_mem_space;
  const solo_memspace *space = solo_memspace_of(handle);
  solo_memspace wanted = {
      .kind = space ? space->kind : handle, .device = SOLO_MEMSPACE_HOST, .nodes = chosen};
  return find_or_make(&wanted);
}

int solo_memspace_bind(void *address, size_t bytes, omp_memspace_handle_t space, int resource) {
  uint64_t nodes = nodes_of(space);
  return nodes ? solo_pages_bind(address, bytes, solo_numa_node_at(nodes, resource)) : 0;
}

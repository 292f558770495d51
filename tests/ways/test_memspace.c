/* Description: memory spaces, allocators and partitioners of OpenMP 6.0 on the CPU and on simulated
 * NVIDIA and AMD devices. Memory has the requested location, pools and omp_free accept device
 * blocks, and invalid requests are rejected. */
#include "abi/include/omp.h"
#include "abi/include/solo.h"
#include "abi/memory_nodes.h"
#include "runtime/device/devices.h"
#include "tests/unit/test.h"

#include <unistd.h>

enum { BYTES = 1000 };

static int gpus[2], gpu_count, cpu = -1;

static void find_devices(void) {
  for (int i = 0; i < omp_get_num_devices(); i++) {
    solo_device *device;
    CHECK(solo_device_get(i, &device) == SOLO_OK);
    const solo_device_info *info = solo_device_describe(device);
    if (!(info->flags & SOLO_DEVICE_SYNCHRONOUS) && gpu_count < 2) gpus[gpu_count++] = i;
    if (info->warp_size <= 1 && (info->flags & SOLO_DEVICE_SYNCHRONOUS)) cpu = i;
  }
  CHECK(gpu_count == 2 && cpu >= 0);
}

static void test_which(void) {
  int host = omp_get_initial_device(), both[] = {gpus[0], gpus[1]}, plain[] = {cpu, host, -1};
  omp_memspace_handle_t kind = omp_high_bw_mem_space;
  omp_memspace_handle_t one = omp_get_device_memspace(gpus[0], kind);
  CHECK(one != omp_null_mem_space && one != kind);
  CHECK(one == omp_get_devices_memspace(1, gpus, kind));
  CHECK(one != omp_get_device_memspace(gpus[1], kind));
  CHECK(one != omp_get_device_memspace(gpus[0], omp_default_mem_space));
  CHECK(omp_get_device_memspace(gpus[0], omp_default_mem_space) ==
        /* the value of the handle in Clang 19's header */
        omp_get_device_memspace(gpus[0], omp_null_mem_space));
  omp_memspace_handle_t shared = omp_get_device_and_host_memspace(gpus[0], kind);
  CHECK(shared != omp_null_mem_space && shared != kind && shared != one);
  CHECK(shared == omp_get_devices_and_host_memspace(1, gpus, kind));
  CHECK(omp_get_devices_memspace(2, both, kind) == omp_null_mem_space);
  CHECK(omp_get_devices_all_memspace(kind) == omp_null_mem_space);
  CHECK(omp_get_devices_all_allocator(kind) == omp_null_allocator);
  CHECK(omp_get_device_memspace(cpu, kind) == kind);
  CHECK(omp_get_device_memspace(host, kind) == kind);
  CHECK(omp_get_devices_and_host_memspace(3, plain, kind) == kind);
  CHECK(omp_get_devices_and_host_memspace(0, NULL, kind) == kind);
  CHECK(omp_get_device_allocator(cpu, kind) == omp_high_bw_mem_alloc);
  CHECK(omp_get_devices_allocator(0, NULL, kind) == omp_null_allocator);
  CHECK(omp_get_device_memspace(host + 1, kind) == omp_null_mem_space);
  CHECK(omp_get_device_memspace(gpus[0], llvm_omp_target_host_mem_space) == omp_null_mem_space);
  CHECK(omp_get_device_memspace(gpus[0], one) == omp_null_mem_space);
}

/* Copies data to the memory and back, and compares the data. */
static void check_device_memory(char *memory, int device, size_t bytes) {
  char out[BYTES], back[BYTES] = {0};
  for (size_t i = 0; i < bytes; i++) out[i] = (char)(i + (size_t)device);
  int host = omp_get_initial_device();
  CHECK(omp_target_memcpy(memory, out, bytes, 0, 0, device, host) == 0);
  CHECK(omp_target_memcpy(back, memory, bytes, 0, 0, host, device) == 0);
  CHECK(memcmp(out, back, bytes) == 0);
}

static void test_device_memory(int device) {
  char zero[BYTES] = {0}, back[BYTES];
  omp_allocator_handle_t a = omp_get_device_allocator(device, omp_default_mem_space);
  CHECK(a != omp_null_allocator &&
        a == omp_get_devices_allocator(1, &device, omp_default_mem_space));
  char *memory = omp_alloc(BYTES, a);
  CHECK(memory != NULL);
  check_device_memory(memory, device, BYTES);
  char *more = omp_realloc(memory, 2 * BYTES, a, a);
  CHECK(omp_target_memcpy(back, more, BYTES, 0, 0, omp_get_initial_device(), device) == 0);
  for (size_t i = 0; i < BYTES; i++) CHECK(back[i] == (char)(i + (size_t)device));
  omp_free(more, omp_null_allocator); /* omp_free finds the allocator by the address */
  char *clear = omp_calloc(10, BYTES / 10, a);
  CHECK(omp_target_memcpy(back, clear, BYTES, 0, 0, omp_get_initial_device(), device) == 0);
  CHECK(memcmp(back, zero, BYTES) == 0);
  omp_free(clear, a);
  /* a full pool of device memory returns NULL */
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 2 * BYTES}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool =
      omp_init_allocator(omp_get_device_memspace(device, omp_default_mem_space), 2, traits);
  char *first = omp_alloc(BYTES, pool), *second = omp_alloc(BYTES, pool);
  CHECK(first && second && !omp_alloc(1, pool));
  omp_free(first, pool);
  first = omp_alloc(BYTES, pool);
  CHECK(first != NULL);
  omp_free(first, pool);
  omp_free(second, pool);
  omp_destroy_allocator(pool);
}

static void test_shared_memory(int device) {
  omp_allocator_handle_t a = omp_get_device_and_host_allocator(device, omp_default_mem_space);
  CHECK(a != omp_null_allocator);
  char *memory = omp_aligned_alloc(256, BYTES, a);
  CHECK(memory && (uintptr_t)memory % 256 == 0);
  memset(memory, 5, BYTES);
  check_device_memory(memory, device, BYTES);
  CHECK(memory[1] == (char)(1 + device)); /* the host reads what the device wrote */
  omp_free(memory, omp_null_allocator);
}

static void test_resources(void) {
  int nodes = __builtin_popcountll(solo_numa_nodes()), zero[] = {0, 0}, bad[] = {nodes, -1};
  omp_memspace_handle_t gpu = omp_get_device_memspace(gpus[0], omp_default_mem_space);
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  CHECK(omp_get_memspace_num_resources(omp_default_mem_space) == nodes);
  CHECK(omp_get_memspace_num_resources(gpu) == 1);
  CHECK(omp_get_memspace_num_resources((omp_memspace_handle_t)77) == 0);
  CHECK(omp_get_memspace_pagesize(omp_default_mem_space) == page);
  CHECK(omp_get_memspace_pagesize(gpu) > 0 &&
        omp_get_memspace_pagesize((omp_memspace_handle_t)77) == 0);
  CHECK(omp_get_submemspace(omp_default_mem_space, 0, zero) == omp_null_mem_space);
  CHECK(omp_get_submemspace(omp_default_mem_space, 1, bad) == omp_null_mem_space);
  CHECK(omp_get_submemspace(omp_default_mem_space, 1, bad + 1) == omp_null_mem_space);
  CHECK(omp_get_submemspace(gpu, 2, zero) == gpu);
  omp_memspace_handle_t part = omp_get_submemspace(omp_default_mem_space, 1, zero);
  CHECK(nodes > 1 ? part != omp_default_mem_space : part == omp_default_mem_space);
  CHECK(omp_get_memspace_num_resources(part) == 1);
  CHECK(solo_numa_list("0-1,4\n") == 0x13 && solo_numa_list("63") == (uint64_t)1 << 63);
  CHECK(solo_numa_list("") == 0 && solo_numa_list("2-1") == 0 && solo_numa_list("1;2") == 0);
  CHECK(solo_numa_node_at(0x13, 0) == 1 && solo_numa_node_at(0x13, 2) == 0x10);
  /* pages can be bound only to existing nodes */
  void *pages = solo_pages_alloc(page);
  CHECK(solo_pages_bind(pages, page, solo_numa_nodes()) == 0);
  CHECK(solo_pages_bind(pages, page, (uint64_t)1 << 62) != 0);
  solo_pages_free(pages, page);
}

static int computed, released, mistakes;

static void compute(omp_memspace_handle_t space, size_t bytes, omp_alloctrait_val_t argument,
                    omp_mempartition_t *partition) {
  size_t page = omp_get_memspace_pagesize(space);
  computed++;
  omp_init_mempartition(partition, 3, &computed);
  CHECK(omp_mempartition_get_user_data(partition) == &computed);
  CHECK(argument == 17 + mistakes);
  CHECK(omp_mempartition_set_part(partition, 3, 0, page) == -1); /* the part 3 does not exist */
  /* the size is no multiple of the page size */
  CHECK(omp_mempartition_set_part(partition, 0, 0, page + 1) == -1);
  CHECK(omp_mempartition_set_part(partition, 0, 64, page) == -1); /* resource 64 does not exist */
  CHECK(omp_mempartition_set_part(partition, 0, -1, page) == -1);
  CHECK(omp_mempartition_set_part(partition, 0, 0, page) == 0);
  CHECK(omp_mempartition_set_part(partition, 1, 0, 2 * page) == 0);
  CHECK(omp_mempartition_set_part(partition, 2, 0, bytes - 3 * page - (size_t)mistakes) == 0);
}

static void release(omp_mempartition_t *partition) {
  CHECK(omp_mempartition_get_user_data(partition) == &computed);
  released++;
  omp_destroy_mempartition(partition);
}

static void test_partitions(omp_memspace_handle_t space) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = 5 * page + 7;
  omp_mempartitioner_t partitioner;
  omp_init_mempartitioner(&partitioner, omp_dynamic_mempartition, compute, release);
  omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_partitioner},
                               {omp_atk_partitioner, (omp_uintptr_t)&partitioner},
                               {omp_atk_partitioner_arg, (omp_uintptr_t)(17 + mistakes)},
                               {omp_atk_fallback, omp_atv_null_fb}};
  CHECK(omp_init_allocator(space, 1, traits) == omp_null_allocator); /* invalid partitioner */
  omp_allocator_handle_t a = omp_init_allocator(space, 4, traits);
  CHECK(a != omp_null_allocator);
  computed = released = 0;
  char *memory = omp_alloc(bytes, a);
  CHECK(computed == 1 && released == 1);
  CHECK(mistakes ? !memory : memory && (uintptr_t)memory % page == 0);
  if (memory) memset(memory, 1, bytes);
  omp_free(memory, a);
  omp_destroy_allocator(a);
  omp_destroy_mempartitioner(&partitioner);
}

int main(void) {
  find_devices();
  test_which();
  for (int i = 0; i < 2; i++) {
    test_device_memory(gpus[i]);
    test_shared_memory(gpus[i]);
  }
  test_resources();
  test_partitions(omp_default_mem_space);
  mistakes = 1; /* the sum of the parts' sizes is wrong */
  test_partitions(omp_default_mem_space);
  solo_fini();
  return TEST_RESULT();
}

/* Description: a mapping copies nothing if host and device share memory (unified_shared_memory with
 * xnack, APUs, on request), and copies otherwise. Results are correct; a requirement that the
 * device lacks is reported. Arguments: code object; "zero" (no copies), "copies" or "refused";
 * "requires" or nothing; wavefront size. Simulated kernels run in this process (SIM_INLINE) and
 * share its memory. */
#define main cuda_main
int cuda_main(int argc, char **argv);
#include "tests/cuda/test_program.c"
#undef main

#include "abi/include/solo.h"
#include "tests/sim/libhsa/hsa_sim.h"

static unsigned copies(void) {
  return hsa_sim_calls("hsa_amd_memory_async_copy") +
         hsa_sim_calls("hsa_amd_memory_async_copy_rect");
}

static void regions(int zero) {
  fill();
  CHECK_INT(saxpy(), 0); /* the first launch of a kernel makes additional copies */
  fill();
  unsigned before = copies(), allocated = hsa_sim_calls("hsa_amd_memory_pool_allocate");
  CHECK_INT(saxpy(), 0);
  CHECK_INT(wrong(), 0);
  CHECK_INT(copies() - before, zero ? 0 : 3);
  CHECK_INT(hsa_sim_calls("hsa_amd_memory_pool_allocate"), allocated);
}

static void constructs(int zero) {
  static int cell = 3;
  void *bases[] = {&cell};
  int64_t sizes[] = {sizeof cell}, types[] = {TO | FROM}, from[] = {FROM};
  __tgt_target_data_begin_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  /* as with LLVM's libomptarget, the variable is not in the mapping table */
  CHECK((omp_get_mapped_ptr(&cell, 0) == NULL) == zero);
  CHECK_INT(touch(&cell), 0);
  CHECK_INT(cell, zero ? 4 : 3);
  __tgt_target_data_update_mapper(NULL, -1, 1, bases, bases, sizes, from, NULL, NULL);
  CHECK_INT(cell, 4);
  CHECK_INT(touch(&cell), 0);
  __tgt_target_data_end_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(cell, 5);
}

static void describe(int zero, unsigned wavefront) {
  solo_device_description device = {.size = sizeof device};
  uint64_t out[11] = {0};
  CHECK_INT(solo_describe_device(0, &device), 0);
  CHECK_INT(device.shares_host_memory, zero);
  arguments a = {.teams = 1, .threads = 40};
  map(&a, out, sizeof out, TO | FROM);
  CHECK_INT(region(&key_look, &a), 0);
  CHECK_INT(out[1], 40 + wavefront); /* a generic kernel's main thread has a separate wave */
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  int zero = strcmp(argv[2], "zero") == 0;
  if (strcmp(argv[3], "requires") == 0) {
    static tgt_entry_19 more[11];
    memcpy(more, entries, sizeof entries);
    more[10] = (tgt_entry_19){NULL, "", 0, 0x10, 8}; /* unified_shared_memory: abi-facts 1.2 */
    image.entries_begin = descriptor.entries_begin = more;
    image.entries_end = descriptor.entries_end = more + 11;
  }
  register_image(argv[1]);
  /* closes the devices at exit, because SIM_LEAKS=1 reports open objects */
  atexit(solo_fini);
  if (strcmp(argv[2], "refused") == 0) {
    fill();
    CHECK(saxpy() != 0);
    solo_failure failure;
    solo_last_error(&failure);
    CHECK_HAS(failure.text, "unified_shared_memory");
    CHECK_HAS(failure.text, "HSA_XNACK=1");
  } else {
    regions(zero);
    constructs(zero);
    describe(zero, (unsigned)atoi(argv[4]));
    check_runtime_features();
  }
  __tgt_unregister_lib(&descriptor);
  CHECK_INT(hsa_sim_violations(), 0);
  return TEST_RESULT();
}

/* Description: the regions of tests/cuda/test_program.c run on the HSA backend; also the heap,
 * private data in kernarg segments, destructors. Argument 1: the code object of program_kernels.c;
 * argument 2: "all", "indirect", "crash", or "survive". */
#define PROGRAM_WARP  64
#define PROGRAM_CLOCK 100000000
#define main          cuda_main
int cuda_main(int argc, char **argv);
#include "tests/cuda/test_program.c"
#undef main

#include "abi/include/solo.h"
#include "tests/sim/libhsa/hsa_sim.h"

static char key_heap, key_carry;
static uint64_t *farewell;
static tgt_entry_19 hsa_entries[] = {
    {&key_saxpy, "saxpy", 0, 0, 0},
    {&key_touch, "touch", 0, 0, 0},
    {&key_look, "look", 0, 0, 0},
    {&key_reduce, "reduce", 0, 0, 0},
    {&key_linked, "linked", 0, 0, 0},
    {&key_indirect, "indirect", 0, 0, 0},
    {&key_crash, "crash", 0, 0, 0},
    {&key_heap, "heap", 0, 0, 0},
    {&key_carry, "carry", 0, 0, 0},
    {&counter, "counter", sizeof counter, 0, 0},
    {&farewell, "farewell", sizeof farewell, 0, 0},
    {&big_ref, "big_decl_tgt_ref_ptr", sizeof big_ref, 1, 0},
    {(void *)(uintptr_t)add_seven_host, "indirect_l9", 8, 8, 0},
};
enum { ENTRIES = sizeof hsa_entries / sizeof hsa_entries[0], HEAP = 1 << 20 };

/* The heap and its variable (abi-facts 8.1). */
static void check_heap(void) {
  uint64_t out[7] = {0};
  arguments a = {.teams = 1, .threads = 1};
  map(&a, out, sizeof out, TO | FROM);
  literal(&a, HEAP);
  CHECK_INT(region(&key_heap, &a), 0);
  CHECK(out[0] != 0 && out[0] % 16 == 0);
  CHECK_INT(out[1] + out[2], out[0] + HEAP);
  CHECK_INT(out[3], 1);
  CHECK_INT(out[4], 0); /* 80 bytes do not fit, because only 64 bytes are free */
  CHECK_INT(out[5], 1);
  CHECK_INT(out[6], 0);
}

/* A region with present data: one packet, one doorbell, one wait. */
static void check_counts(void) {
  int cell = 0;
  if (!hsa_sim_calls) return;
  void *bases[] = {&cell};
  int64_t sizes[] = {sizeof cell}, types[] = {TO | FROM};
  __tgt_target_data_begin_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(touch(&cell), 0);
  for (int round = 0; round < 40; round++) { /* more rounds than a queue can hold operations */
    unsigned dispatches = hsa_sim_packets(2), barriers = hsa_sim_packets(3);
    unsigned doorbells = hsa_sim_doorbells();
    hsa_sim_reset_calls();
    CHECK_INT(touch(&cell), 0);
    CHECK_INT(hsa_sim_packets(2) - dispatches, 1);
    CHECK_INT(hsa_sim_packets(3) - barriers, 0);
    CHECK_INT(hsa_sim_doorbells() - doorbells, 1);
    /* The first sleep also reads the clock's frequency. */
    CHECK_INT(hsa_sim_calls(NULL) - hsa_sim_calls("hsa_system_get_info"),
              hsa_sim_calls("hsa_signal_wait_scacquire"));
    CHECK(hsa_sim_calls("hsa_signal_wait_scacquire") <= 1);
  }
  __tgt_target_data_end_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  CHECK_INT(cell, 41);
}

enum { PRIVATE = 0x80, MOST_WORDS = 600 };

/* Runs the kernel `carry` with private data of `words` words and of 13 bytes at an odd address.
 * Returns the number of copies, without the copy of `out`. */
static unsigned carried(int words, int32_t teams) {
  static uint64_t a[MOST_WORDS], out[3];
  static unsigned char b[64];
  uint64_t sums[2] = {0, 0};
  arguments r = {.teams = teams, .threads = 64};
  for (int i = 0; i < words; i++) sums[0] += a[i] = (uint64_t)(i + words) * 977;
  for (int i = 0; i < 13; i++) sums[1] += b[5 + i] = (unsigned char)(i * 31 + words);
  map(&r, out, sizeof out, FROM);
  map(&r, a, words * 8, TO | PRIVATE);
  literal(&r, (uint64_t)words);
  map(&r, b + 5, 13, TO | PRIVATE);
  literal(&r, 13);
  unsigned before = hsa_sim_calls("hsa_amd_memory_async_copy");
  CHECK_INT(region(&key_carry, &r), 0);
  CHECK_INT(out[0], sums[0]);
  CHECK_INT(out[1], sums[1]);
  CHECK_INT(out[2], (uintptr_t)(b + 5) % 16); /* private data keeps the host address modulo 16 */
  return hsa_sim_calls("hsa_amd_memory_async_copy") - before - 1;
}

/* Small private data is passed with the arguments, without a copy. */
static void check_inline_private_data(int expected) {
  if (!hsa_sim_calls) return;
  /* the first launch of a kernel also copies its execution mode from the device */
  (void)carried(1, 1);
  unsigned barriers = hsa_sim_packets(3);
  for (int round = 0; round < 40; round++) CHECK_INT(carried(round + 1, 1), !expected);
  if (expected) CHECK_INT(hsa_sim_packets(3) - barriers, 0);
  CHECK_INT(carried(100, 1), !expected);
  CHECK_INT(carried(MOST_WORDS, 1), 1); /* too large for the kernarg segment: copied */
  /* many teams would read the data from host memory, so the runtime copies the data */
  CHECK_INT(carried(100, 2000), 1);
}

static void check_crash(void) {
  arguments none = {.teams = 1};
  CHECK(region(&key_crash, &none) != 0);
  CHECK(saxpy() != 0);
}

/* Allocates the word that the destructor kernel writes. */
static uint64_t *prepare_destructor_word(void) {
  uint64_t *word = llvm_omp_target_alloc_host(sizeof *word, 0);
  CHECK(word);
  if (!word) return NULL;
  *word = 0;
  farewell = word;
  void *bases[] = {&farewell};
  int64_t sizes[] = {sizeof farewell}, types[] = {TO};
  __tgt_target_data_update_mapper(NULL, -1, 1, bases, bases, sizes, types, NULL, NULL);
  return word;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  image.entries_begin = descriptor.entries_begin = hsa_entries;
  image.entries_end = descriptor.entries_end = hsa_entries + ENTRIES;
  setenv("LIBOMPTARGET_HEAP_SIZE", "1048576", 1);
  register_image(argv[1]);
  /* closes the devices at exit: SIM_LEAKS=1 reports open objects */
  atexit(solo_fini);
  if (strcmp(argv[2], "survive") == 0) return survive();
  if (strcmp(argv[2], "cuda") == 0) return cuda_main(argc, argv);
  CHECK(omp_get_num_devices() > 0);
  fill();
  CHECK_INT(saxpy(), 0);
  CHECK_INT(wrong(), 0);
  check_environment();
  check_heap();
  check_counts();
  check_inline_private_data(getenv("SOLO_HSA_CARRY") != NULL);
  check_runtime_features();
  check_api();
  if (strcmp(argv[2], "indirect") == 0) check_indirect();
  if (strcmp(argv[2], "crash") == 0) check_crash();
  uint64_t *word = strcmp(argv[2], "crash") == 0 ? NULL : prepare_destructor_word();
  __tgt_unregister_lib(&descriptor);
  if (word) {
    CHECK_INT(*word, 4711);
    llvm_omp_target_free_host(word, 0);
  }
  if (hsa_sim_violations) CHECK_INT(hsa_sim_violations(), 0);
  return TEST_RESULT();
}

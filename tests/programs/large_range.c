/* Description: threads map the same large range concurrently. A linked OMPT tool checks that the
 * range is allocated and copied once. */
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 12, SHORT_ROUNDS = 50, BYTES = 24 << 20 };

static int allocations, copies;

static void on_data(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t what, void *from,
                    int from_device, void *to, int to_device, size_t bytes, const void *code) {
  (void)target, (void)operation, (void)from, (void)from_device, (void)to, (void)to_device;
  (void)code;
  if (bytes < BYTES) return;
  /* lets the other threads arrive during the allocation */
  if (what == ompt_target_data_alloc) usleep(1000);
#pragma omp atomic
  allocations += what == ompt_target_data_alloc;
#pragma omp atomic
  copies += what == ompt_target_data_transfer_to_device;
}

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
  set(ompt_callback_target_data_op, (ompt_callback_t)on_data);
  return 1;
}

static void finalize(ompt_data_t *data) {
  (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return &result;
}

int main(void) {
  char *data = malloc(BYTES);
  int wrong = 0;
  for (size_t i = 0; i < BYTES; i += 4096) data[i] = (char)(i >> 12);
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp barrier
#pragma omp target enter data map(to : data [0:BYTES])
#pragma omp barrier
#pragma omp target map(present, alloc : data [0:BYTES]) map(wrong)
    for (size_t i = 0; i < BYTES; i += 4096) wrong += data[i] != (char)(i >> 12);
#pragma omp target exit data map(release : data [0:BYTES])
  }
  /* A thread may still remove the mapping when the next round begins. Other threads find the
   * mapping or wait. */
  const int with_data = allocations;
#pragma omp parallel num_threads(THREADS)
  for (int round = 0; round < SHORT_ROUNDS; round++) {
#pragma omp barrier
#pragma omp target enter data map(alloc : data [0:BYTES])
#pragma omp barrier
#pragma omp target exit data map(release : data [0:BYTES])
  }
  wrong += allocations - with_data != SHORT_ROUNDS;
  allocations = with_data;
  printf("%d allocations, %d copies, %d wrong in %d rounds\n", allocations, copies, wrong, ROUNDS);
  return wrong || allocations != ROUNDS || copies != ROUNDS;
}

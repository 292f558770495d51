/* Description: with SOLO_CUDA_GRAPHS, repeated kernels are launched as graphs, and each graph
 * writes a word in host memory at its end. Without driver support for graphs or for the write, the
 * backend works without graphs or without the write.
 *   test_graphs CUBIN graphs|no-graphs|no-word     variables of the simulated driver select the case
 */
#include "backends/cuda/cuda_api.h"
#include "tests/cuda/cuda_test.h"

static const solo_backend *const b = &solo_cuda_backend;
enum {
  REGIONS = 40,
  CELLS = 64,
  DIRECT = 8 /* launches before a graph is used: REPEATS in cuda_graph.c */
};

static uint64_t host(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

/* The addend of each launch differs, so that a graph with stale arguments yields a wrong sum. */
static void check_sums(const test_device *t, solo_bkernel *kernel, solo_devptr at) {
  int x[CELLS] = {0}, expected = 0;
  OK(b->queue_copy(t->queue, at, host(x), sizeof x, SOLO_COPY_IN));
  for (unsigned i = 0; i < REGIONS; i++) {
    const uint64_t slots[] = {at, CELLS, i};
    expected += (int)i;
    OK(test_launch(t->queue, kernel, 1 + i % 3, CELLS, slots, 3));
    if (i % 4 == 3) continue;
    OK(b->queue_sync(t->queue));
    OK(b->queue_copy(t->queue, host(x), at, sizeof x, SOLO_COPY_OUT));
    OK(b->queue_sync(t->queue));
    CHECK_INT(x[0], expected);
    CHECK_INT(x[CELLS - 1], expected);
  }
  OK(b->queue_sync(t->queue)); /* the queue is then cached, so the next caller uses another queue */
}

/* Each graph function fails once with OUT_OF_MEMORY. */
static void check_failures(const test_device *t, solo_devptr at) {
  static const char *const calls[] = {"cuGraphCreate",
                                      "cuGraphAddKernelNode_v2",
                                      "cuGraphInstantiateWithFlags",
                                      "cuGraphLaunch",
                                      "cuGraphExecKernelNodeSetParams_v2",
                                      "cuMemHostAlloc",
                                      "cuMemHostGetDevicePointer_v2",
                                      "cuStreamWriteValue32_v2"};
  for (size_t i = 0; cuda_sim_fail && i < sizeof calls / sizeof *calls; i++) {
    test_device other = *t;
    OK(b->queue_open(t->device, &other.queue));
    cuda_sim_fail(calls[i], 1, 2);
    check_sums(&other, test_kernel(t, "sim_add"), at);
    CHECK(!cuda_sim_failed() || !strcmp(cuda_sim_failed(), calls[i]));
    b->queue_close(t->device, other.queue);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int graphs = strcmp(argv[2], "no-graphs") != 0, word = !strcmp(argv[2], "graphs");
  test_device t = test_open(argv[1]);
  solo_bkernel *kernel = test_kernel(&t, "sim_add");
  solo_devptr at;
  OK(b->mem_alloc(t.device, CELLS * sizeof(int), SOLO_MEMORY_DEVICE, &at));
  if (cuda_sim_reset_calls) cuda_sim_reset_calls();
  check_sums(&t, kernel, at);
  if (cuda_sim_calls) {
    CHECK_INT(cuda_sim_calls("cuLaunchKernel"), graphs ? DIRECT : REGIONS);
    CHECK_INT(cuda_sim_calls("cuGraphLaunch"), graphs ? REGIONS - DIRECT : 0);
    CHECK_INT(cuda_sim_calls("cuGraphInstantiateWithFlags"), graphs);
    CHECK(word ? cuda_sim_calls("cuStreamWriteValue32_v2") > REGIONS / 2
               : cuda_sim_calls("cuStreamWriteValue32_v2") <= 1);
    CHECK(cuda_sim_live("graph exec") == graphs);
  }
  if (word) check_failures(&t, at);
  kernel = test_kernel(&t, "sim_poke");
  for (int i = 0; i < 2 * DIRECT; i++) {
    const uint64_t valid[] = {at};
    OK(test_launch(t.queue, kernel, 1, 1, valid, 1));
    OK(b->queue_sync(t.queue));
  }
  OK(b->mem_free(t.device, at, SOLO_MEMORY_DEVICE));
  const uint64_t invalid[] = {16};
  OK(test_launch(t.queue, kernel, 1, 1, invalid, 1));
  CHECK_INT(b->queue_sync(t.queue), SOLO_KERNEL_FAULT);
  CHECK_HAS(solo_error_last()->text, "sim_poke");
  CHECK_HAS(solo_error_last()->text, "ILLEGAL_ADDRESS");
  test_close(&t);
  if (cuda_sim_live) CHECK_INT(cuda_sim_live(NULL), 0);
  return TEST_RESULT();
}

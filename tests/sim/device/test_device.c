/* Description: checks the simulated device: inaccessible memory, kernels, faults, guards,
 * pinning. */
#define _GNU_SOURCE
#include "tests/sim/device/calls.h"
#include "tests/sim/device/sim_device.h"
#include "tests/unit/test.h"

#include <sys/wait.h>
#include <unistd.h>

static char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char *bytes = malloc(*size);
  if (fread(bytes, 1, *size, f) != *size) *size = 0;
  fclose(f);
  return bytes;
}

static sim_fault run(sim_module *m, const char *name, uint32_t blocks, uint32_t threads, uint64_t a,
                     uint64_t b, uint64_t c) {
  uint64_t bytes, entry = sim_module_symbol(m, name, 1, &bytes);
  CHECK(entry);
  sim_grid grid = {.entry = entry,
                   .blocks = {blocks, 1, 1},
                   .threads = {threads, 1, 1},
                   .slots = 4,
                   .slot = {0, a, b, c}};
  return sim_device_run(0, &grid);
}

static void kernels(sim_module *m) {
  uint64_t x = sim_memory_alloc(0, 100 * sizeof(int), 0);
  int *shadow = sim_memory_reach(x, 100 * sizeof(int), NULL);
  sim_access_begin(0);
  for (int i = 0; i < 100; i++) shadow[i] = i;
  sim_access_end(0);
  CHECK_INT(run(m, "sim_add", 3, 7, x, 100, 5), SIM_RAN);
  int wrong = 0;
  for (int i = 0; i < 100; i++) wrong += shadow[i] != i + 5;
  CHECK_INT(wrong, 0);

  uint64_t bytes, global = sim_module_symbol(m, "sim_global", 0, &bytes);
  CHECK_INT(bytes, sizeof(int));
  CHECK_INT(run(m, "sim_global_add", 1, 2, 4, 0, 0), SIM_RAN);
  CHECK_INT(*(int *)sim_memory_reach(global, 4, NULL), 42 + 8);
  CHECK(sim_memory_is_device(x) && !sim_memory_is_device((uint64_t)&x));
  CHECK(!sim_memory_reach(x + 1, 100 * sizeof(int), NULL));

  if (!(getenv("SIM_INLINE"))) {
    pid_t child = fork();
    if (child == 0) {
      signal(SIGSEGV, SIG_DFL);
      *(volatile int *)x = 1; /* the host must not be able to access device memory */
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  } else {
    *(volatile int *)x = 1;
    CHECK_INT(run(m, "sim_nothing", 1, 1, 0, 0, 0), SIM_RAN);
    CHECK_INT(sim_violations(), 1);
  }
  int before = sim_violations();
  sim_access_begin(0);
  shadow[100] = 7; /* writes one byte beyond the block */
  sim_access_end(0);
  CHECK_INT(sim_memory_free(x), 0);
  CHECK_INT(sim_violations(), before + 1);
  CHECK_INT(sim_memory_free(x), -1);
}

static void pinning(sim_module *m) {
  static int host[5000];
  uint64_t at = sim_memory_pin(host + 1, 4 * 4000);
  CHECK(at && sim_memory_pinned(host + 3) == at + 8);
  CHECK(!sim_memory_pin(host + 10, 4));
  for (int i = 0; i < 5000; i++) host[i] = 1;
  CHECK_INT(run(m, "sim_add", 1, 1, at, 4000, 1), SIM_RAN);
  CHECK(host[0] == 1 && host[1] == 2 && host[4000] == 2 && host[4001] == 1);
  CHECK_INT(sim_memory_unpin(host + 1), 0);
  CHECK_INT(sim_memory_unpin(host + 1), -1);
  CHECK(host[0] == 1 && host[4000] == 2 && host[4999] == 1);
}

int main(int argc, char **argv) {
  size_t size = 0;
  const char *why;
  char *image = read_file(argc > 1 ? argv[1] : "build/sim/kernels.so", &size);
  if (!image) return 1;
  CHECK_INT(sim_device_start(0), 0);
  CHECK_INT(sim_device_start(1), -1);
  for (size_t cut = 0; cut < size; cut += 37) {
    sim_module *m =
        /* a truncated image loads or is rejected, without a crash */
        sim_module_load(0, image, cut, &why);
    if (m) sim_module_unload(m);
  }
  CHECK_INT(sim_memory_used(0), 0);
  sim_module *m = sim_module_load(0, image, size, &why);
  CHECK(m);
  if (!m) return printf("%s\n", why), 1;
  kernels(m);
  if (!getenv("SIM_INLINE")) { /* requires a child process */
    pinning(m);
    int mine = 1;
    CHECK_INT(run(m, "sim_poke", 1, 1, (uint64_t)&mine, 0, 0), SIM_FAULT_ADDRESS);
    /* the device stays faulty */
    CHECK_INT(run(m, "sim_nothing", 1, 1, 0, 0, 0), SIM_FAULT_ADDRESS);
    CHECK_INT(sim_device_state(0), SIM_FAULT_ADDRESS);
  }
  sim_module_unload(m);
  sim_device_stop_all();
  free(image);
  return TEST_RESULT();
}

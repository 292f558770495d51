/* The backend of the virtual GPU: limits of a grid, device memory. */
#define _GNU_SOURCE
#include "backends/simt/simt.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <unistd.h>

static solo_bdevice *device;

static void test_memory(void) {
  enum { BYTES = 100, WHOLE = 128 /* BYTES, rounded up to a multiple of 64 */ };
  solo_devptr address = 0;
  int pipes[2], wrong = 0;
  CHECK_INT(solo_simt_mem_alloc(device, BYTES, SOLO_MEMORY_DEVICE, &address), SOLO_OK);
  const unsigned char *bytes = (const unsigned char *)(uintptr_t)address;
  for (int i = 0; i < BYTES; i++) wrong += bytes[i] != 0xa5; /* fresh memory is not zero */
  CHECK_INT(wrong, 0);
  /* an access behind the block faults */
  CHECK(pipe(pipes) == 0);
  CHECK_INT(write(pipes[1], bytes + WHOLE - 1, 1), 1);
  CHECK(write(pipes[1], bytes + WHOLE, 1) < 0 && errno == EFAULT);
  CHECK_INT(solo_simt_mem_free(device, address + 64, SOLO_MEMORY_DEVICE), SOLO_INVALID);
  CHECK_INT(solo_simt_mem_free(device, address, SOLO_MEMORY_DEVICE), SOLO_OK);
  CHECK_INT(solo_simt_mem_free(device, address, SOLO_MEMORY_DEVICE), SOLO_INVALID);
  close(pipes[0]);
  close(pipes[1]);
}

static void test_grid(void) {
  static const struct {
    uint32_t teams[3], threads[3], shared_bytes;
  } wrong[] = {{{1, 65536, 1}, {1, 1, 1}, 0}, {{1, 1, 65536}, {1, 1, 1}, 0},
               {{0, 1, 1}, {1, 1, 1}, 0},     {{1, 0, 1}, {1, 1, 1}, 0},
               {{1, 1, 0}, {1, 1, 1}, 0},     {{1u << 31, 1, 1}, {1, 1, 1}, 0},
               {{1, 1, 1}, {0, 1, 1}, 0},     {{1, 1, 1}, {32, 32, 2}, 0},
               {{1, 1, 1}, {1025, 1, 1}, 0},  {{1, 1, 1}, {1, 1, 1}, 227 * 1024 + 1}};
  solo_bmodule module = {.device = device};
  solo_simt_kernel kernel = {.module = &module};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
    solo_launch_record record = {.shared_bytes = wrong[n].shared_bytes};
    memcpy(record.teams, wrong[n].teams, sizeof record.teams);
    memcpy(record.threads, wrong[n].threads, sizeof record.threads);
    CHECK_INT(solo_simt_queue_launch(&device->queue, (solo_bkernel *)&kernel, &record),
              SOLO_INVALID);
  }
  CHECK_INT(solo_simt_check_lost(device), SOLO_OK);
}

int main(void) {
  solo_device_info info;
  setenv("SIMT_TARGET", "sm_90", 1);
  CHECK_INT(solo_simt_device_open(0, 0, &device, &info), SOLO_OK);
  if (test_failures) return TEST_RESULT();
  test_memory();
  test_grid();
  solo_simt_device_close(device);
  return TEST_RESULT();
}

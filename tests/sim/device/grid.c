/* Executes a grid, in the child process or, with SIM_INLINE, in the driver. */
#define _GNU_SOURCE
#include "backends/simt/exec/simt.h"
#include "tests/sim/device/kernel.h"
#include "tests/sim/device/sim_device.h"

#include <asm/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void kernel6(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
typedef void kernel16(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                      uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                      uint64_t, uint64_t);
#define S4(n) s[n], s[(n) + 1], s[(n) + 2], s[(n) + 3]
#define T4    uint64_t, uint64_t, uint64_t, uint64_t
typedef void kernel64(T4, T4, T4, T4, T4, T4, T4, T4, T4, T4, T4, T4, T4, T4, T4, T4);

int sim_print_fd = 1;

static void print(const char *text, uint64_t n) {
  /* a full pipe drops output, like a full buffer of CUDA */
  if (write(sim_print_fd, text, n) < 0) return;
}

static void call(const sim_grid *grid);

static void enter(void *grid) {
  call(grid);
}

/* An error of a kernel ends the device, like a fault. */
static void run_translated(const sim_grid *grid) {
  const char *seed = getenv("SIMT_SEED");
  simt_launch l = {.enter = enter,
                   .kernel = (void *)(uintptr_t)grid,
                   .warp_size = grid->warp_size,
                   .dynamic_shared = grid->shared_bytes,
                   .shared_limit = grid->shared_limit,
                   .seed = seed ? strtoull(seed, NULL, 0) : 0,
                   .packet = (const void *)grid->packet,
                   .implicit = (const void *)grid->implicit};
  char image[64];
  snprintf(image, sizeof image, "/proc/%d/fd/%d", grid->image_owner, grid->image_fd);
  l.print = print;
  l.checks_races = 1;
  if (grid->image_owner) l.image = image;
  l.image_at = grid->image_at;
  l.image_bytes = grid->image_bytes;
  for (int i = 0; i < 3; i++) l.blocks[i] = grid->blocks[i], l.threads[i] = grid->threads[i];
  simt_report_faults();
  simt_result result = simt_run(&l);
  if (result == SIMT_TRAPPED) __builtin_trap();
  if (result != SIMT_RAN) abort();
}

/* A C function may be called with surplus integer arguments, because the caller removes them. */
static void call(const sim_grid *grid) {
  const uint64_t *s = grid->slot;
  if (grid->slots <= 6)
    ((kernel6 *)grid->entry)(S4(0), s[4], s[5]);
  else if (grid->slots <= 16)
    ((kernel16 *)grid->entry)(S4(0), S4(4), S4(8), S4(12));
  else
    ((kernel64 *)grid->entry)(S4(0), S4(4), S4(8), S4(12), S4(16), S4(20), S4(24), S4(28), S4(32),
                              S4(36), S4(40), S4(44), S4(48), S4(52), S4(56), S4(60));
}

static void run_block(const sim_grid *grid, volatile sim_thread_record *at) {
  for (uint32_t z = 0; z < grid->threads[2]; z++)
    for (uint32_t y = 0; y < grid->threads[1]; y++)
      for (uint32_t x = 0; x < grid->threads[0]; x++) {
        at->thread[0] = x, at->thread[1] = y, at->thread[2] = z;
        call(grid);
      }
}

void sim_grid_run(const sim_grid *grid) {
  if (grid->warp_size) {
    run_translated(grid);
    return;
  }
  volatile sim_thread_record record, *at = &record;
  /* a kernel uses the register gs only to find this record */
  syscall(SYS_arch_prctl, ARCH_SET_GS, at);
  void *shared = grid->shared_bytes ? malloc(grid->shared_bytes) : NULL;
  for (int i = 0; i < 3; i++) at->blocks[i] = grid->blocks[i], at->threads[i] = grid->threads[i];
  at->shared = shared;
  at->shared_bytes = grid->shared_bytes;
  for (uint32_t z = 0; z < grid->blocks[2]; z++)
    for (uint32_t y = 0; y < grid->blocks[1]; y++)
      for (uint32_t x = 0; x < grid->blocks[0]; x++) {
        at->block[0] = x, at->block[1] = y, at->block[2] = z;
        run_block(grid, at);
      }
  free(shared);
}

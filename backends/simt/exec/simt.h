/* The executor of the virtual GPU (docs/design/virtual-gpu.md). Any thread may call simt_run().
 * During the call, simt_run() replaces the thread's gs base, may use helper threads, and passes
 * error texts to launch->report. Units: bytes. */
#ifndef SIMT_H
#define SIMT_H

#include <stdint.h>

typedef enum simt_result {
  SIMT_RAN,
  SIMT_TRAPPED,
  SIMT_ASSERTED,
  SIMT_STUCK,
  SIMT_TOO_LARGE,
  SIMT_FAULTED,
} simt_result;

typedef struct simt_launch {
  void (*enter)(void *kernel);
  void *kernel;
  const char *name;
  uint32_t blocks[3], threads[3];
  uint32_t warp_size;
  uint32_t dynamic_shared;
  uint32_t shared_limit; /* maximum bytes of static plus dynamic shared memory */
  uint32_t stack_bytes;  /* per thread; 0: SIMT_STACK */
  uint64_t seed;         /* selects the order of threads and blocks; 0: fixed */
  uint32_t workers;
  int is_exact; /* nonzero: each GPU thread is a fiber; a seed or checks imply this */
  /* The next three members are only for images of translate.sh -r. */
  int checks_bounds; /* accesses outside of registered memory end the grid */
  int checks_races;
  int race_status; /* exit status of the process after a race; 0: unchanged */
  const void *packet, *implicit;
  const char *image;
  uint64_t image_at, image_bytes;
  void (*report)(const char *text);            /* NULL: stderr */
  void (*print)(const char *text, uint64_t n); /* NULL: stdout */
} simt_launch;

simt_result simt_run(const simt_launch *launch);

/* The list of device memory. Blocks must not overlap. simt_memory_add() returns 0 if there is no
 * memory. simt_memory_remove() returns the size; 0: unknown block. */
int simt_memory_add(const void *address, uint64_t bytes);
uint64_t simt_memory_remove(const void *address);

/* Limits the heap of device code. Default: 8 MiB, as in CUDA. */
void simt_heap_limit(uint64_t bytes);

/* Installs signal handlers that report a fault of a GPU thread before the process ends. For
 * programs without other fault handlers. */
void simt_report_faults(void);

/* Installs signal handlers that end the grid at a fault of a GPU thread. Other faults go to the
 * previous handlers. Returns 0 on failure. */
int simt_catch_faults(void);

#endif

/* The executor of the virtual GPU (docs/design/virtual-gpu.md). Any thread may call simt_run(),
 * which replaces the gs base and may use helper threads. The text of errors is passed to
 * launch->report. Units: bytes. */
#ifndef SIMT_H
#define SIMT_H

#include <stdint.h>

typedef enum simt_result {
  SIMT_RAN,
  SIMT_TRAPPED,
  SIMT_ASSERTED,
  SIMT_STUCK,     /* deadlock */
  SIMT_TOO_LARGE, /* not enough resources */
  SIMT_FAULTED,   /* invalid access or instruction */
} simt_result;

typedef struct simt_launch {
  void (*enter)(void *kernel); /* calls the kernel once */
  void *kernel;
  const char *name; /* or NULL */
  uint32_t blocks[3], threads[3];
  uint32_t warp_size;
  uint32_t dynamic_shared;
  uint32_t shared_limit; /* static and dynamic */
  uint32_t stack_bytes;  /* per thread; 0: 64 KiB */
  uint64_t seed;         /* 0: a fixed order */
  uint32_t workers;      /* host threads */
  /* with translate.sh -r: */
  int checks_bounds; /* accesses outside of registered memory end the grid */
  int checks_races;
  int race_status; /* of the process; 0: unchanged */
  const void *packet, *implicit;
  const char *image; /* file with debug information */
  uint64_t image_at, image_bytes;
  void (*report)(const char *text);            /* NULL: stderr */
  void (*print)(const char *text, uint64_t n); /* NULL: stdout */
} simt_launch;

simt_result simt_run(const simt_launch *launch);

/* Blocks do not overlap. Adding returns 0 without memory, removing the size (0: unknown block). */
int simt_memory_add(const void *address, uint64_t bytes);
uint64_t simt_memory_remove(const void *address);

/* default: 8 MiB, as in CUDA */
void simt_heap_limit(uint64_t bytes);

/* Reports faults before the process ends, if there are no other fault handlers. */
void simt_report_faults(void);

/* Ends the grid at a fault. The previous handler receives other faults. 0: error. */
int simt_catch_faults(void);

/* Writes "block (x,y,z) thread (x,y,z)". 0: none is current. */
int simt_describe_thread(char *out, unsigned size);

#endif

/* The executor of the virtual GPU. Each GPU thread is a fiber that runs until it ends or waits for
 * its warp or block, or until it has executed SIMT_PATIENCE atomic operations. If no thread can
 * continue, the grid fails.
 *
 * Threads: any number of host threads may call simt_run(); one grid at a time uses the helper
 * threads. The executor sets the gs base of these threads while they run blocks. Errors:
 * simt_result; the text is passed to launch->report. Units: bytes. */
#ifndef SIMT_H
#define SIMT_H

#include <stdint.h>

typedef enum simt_result {
  SIMT_RAN,
  SIMT_TRAPPED,   /* trap instruction */
  SIMT_ASSERTED,  /* failed assertion */
  SIMT_STUCK,     /* deadlock */
  SIMT_TOO_LARGE, /* shared memory, threads or host memory are insufficient */
  SIMT_FAULTED,   /* invalid access or instruction */
} simt_result;

typedef struct simt_launch {
  void (*enter)(void *kernel); /* calls the kernel once with its arguments */
  void *kernel;
  const char *name; /* or NULL */
  uint32_t blocks[3], threads[3];
  uint32_t warp_size;
  uint32_t dynamic_shared;
  uint32_t shared_limit; /* static and dynamic */
  uint32_t stack_bytes;  /* per thread; 0: 64 KiB */
  uint64_t seed;         /* 0: blocks, warps and lanes run in order */
  uint32_t workers;      /* maximum number of host threads; 0: the calling thread only */
  /* For code translated with -r: */
  int checks_bounds; /* an access outside of registered memory ends the grid */
  int looks_for_races;
  int race_status; /* exit status of the process after a race; 0: unchanged */
  const void *packet, *implicit;
  const char *image;                           /* file with debug information, or NULL */
  uint64_t image_at, image_bytes;              /* location of the loaded code */
  void (*report)(const char *text);            /* NULL: stderr */
  void (*print)(const char *text, uint64_t n); /* output of printf; NULL: stdout */
} simt_launch;

simt_result simt_run(const simt_launch *launch);

/* Registers device memory; blocks must not overlap. simt_memory_add() returns 0 if there is no
 * memory. simt_memory_remove() returns the size, or 0 if there is no such block. Thread-safe. */
int simt_memory_add(const void *address, uint64_t bytes);
uint64_t simt_memory_remove(const void *address);

/* Sets the size of the device heap. Default: 8 MiB, as in CUDA. */
void simt_heap_limit(uint64_t bytes);

/* Reports faults of GPU threads before the process ends. For processes without other fault
 * handlers. */
void simt_tell_faults(void);

/* Makes such a fault end its grid with SIMT_FAULTED. Other faults are passed to the previous
 * handler. Returns 0 on error. */
int simt_catch_faults(void);

/* Writes "block (x,y,z) thread (x,y,z)" of the current GPU thread. Returns 0 if there is none.
 * Async-signal use only. */
int simt_where(char *out, unsigned size);

#endif

/* The executor of the virtual GPU: runs a grid of translated device code on this CPU.
 *
 * Each thread of a block is a fiber with a stack of its own. A thread runs until it ends or has to
 * wait for another one: for its warp (shuffle, vote, warp barrier), for its block (barriers), or in
 * a loop of atomic operations. Threads that cannot go on because what they wait for cannot happen
 * are reported with block, thread and place, and the grid fails.
 *
 * Threads: simt_run from any number of host threads at a time. It sets the gs base of those that
 * run blocks. Errors: simt_result; words for people go to launch->report.
 * Units: bytes.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdint.h>

typedef enum simt_result {
  SIMT_RAN,
  SIMT_TRAPPED,   /* a trap instruction */
  SIMT_ASSERTED,  /* a failed assertion */
  SIMT_STUCK,     /* threads wait for what cannot come */
  SIMT_TOO_LARGE, /* the grid cannot be run: shared memory, threads, or this host's memory */
} simt_result;

typedef struct simt_launch {
  void (*enter)(void *kernel); /* calls the kernel once, with its arguments */
  void *kernel;
  const char *name; /* for messages; NULL: not known */
  uint32_t blocks[3], threads[3];
  uint32_t warp_size;      /* 32 or 64 */
  uint32_t dynamic_shared; /* bytes */
  uint32_t shared_limit;   /* static and dynamic together */
  uint32_t stack_bytes;    /* of each thread; 0: 64 KiB */
  uint64_t seed;           /* 0: blocks, warps and lanes in order */
  const void *packet, *implicit;
  const char *image;                /* a file with the code's debug information, NULL: none */
  uint64_t image_at, image_bytes;   /* where the code is loaded */
  void (*report)(const char *text); /* NULL: stderr */
  void (*print)(const char *text, uint64_t n); /* device printf; NULL: stdout */
} simt_launch;

simt_result simt_run(const simt_launch *launch);

/* What the device heap may hold; the default is 8 MiB, as CUDA's. */
void simt_heap_limit(uint64_t bytes);

/* From now on a fault of a thread of the virtual GPU on this host thread is told before the process
 * ends of it. For processes whose faults nobody else handles. */
void simt_tell_faults(void);

/* Where the current thread of this host thread is: "block (x,y,z) thread (x,y,z)"; 0: none is. For
 * handlers of faults. */
int simt_where(char *out, unsigned size);

#endif

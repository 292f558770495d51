/* The executor of the virtual GPU: runs a grid of translated device code on this CPU.
 *
 * Each thread of a block is a fiber with a stack of its own. A thread runs until it ends or has to
 * wait for another one: for its warp (shuffle, vote, warp barrier), for its block (barriers), or in
 * a loop of atomic operations. Threads that cannot go on because what they wait for cannot happen
 * are reported with block, thread and place, and the grid fails.
 *
 * Threads: simt_run from any number of host threads at a time; one of them at a time has the helpers
 * that launch->workers asks for. It sets the gs base of those that run blocks. Errors: simt_result; words for people go to launch->report.
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
  SIMT_FAULTED,   /* an access to what is not the device's memory, or a bad instruction */
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
  uint32_t workers;        /* most host threads that run blocks at a time; 0: this one */
  /* Of code that was translated with -r: */
  int checks_bounds; /* an access to what simt_memory_add has not shown is told and ends the grid */
  int looks_for_races;
  int race_status; /* exit status of a process in which one is found; 0: its own */
  const void *packet, *implicit;
  const char *image;                /* a file with the code's debug information, NULL: none */
  uint64_t image_at, image_bytes;   /* where the code is loaded */
  void (*report)(const char *text); /* NULL: stderr */
  void (*print)(const char *text, uint64_t n); /* device printf; NULL: stdout */
} simt_launch;

simt_result simt_run(const simt_launch *launch);

/* Blocks of the device's memory, which do not overlap. Add: 0: no memory. Remove: their size; 0: there
 * is none. */
int simt_memory_add(const void *address, uint64_t bytes);
uint64_t simt_memory_remove(const void *address);

/* What the device heap may hold; the default is 8 MiB, as CUDA's. */
void simt_heap_limit(uint64_t bytes);

/* From now on a fault of a thread of the virtual GPU on this host thread is told, before the process
 * ends of it. For processes whose faults nobody else handles. */
void simt_tell_faults(void);

/* From now on such a fault, on any host thread that runs blocks, is told and ends its grid with
 * SIMT_FAULTED; a fault of other code goes to whoever handled the signal before. 0: refused. */
int simt_catch_faults(void);

/* Where the current thread of this host thread is: "block (x,y,z) thread (x,y,z)"; 0: none is. For
 * handlers of faults. */
int simt_where(char *out, unsigned size);

#endif

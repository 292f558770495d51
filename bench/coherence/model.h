/* A simulated machine with many cores, which counts the transfers of cache lines between threads.
 *
 * Compiler instrumentation (ThreadSanitizer's pass) calls hooks.c at each memory access. threads.c
 * runs one thread at a time, the one with the lowest clock, so that results are reproducible.
 * model.c simulates MESI. An access is a transfer if the core lacks the line or the right to write
 * it; the latter is an upgrade. A chain is a sequence of transfers that depend on each other.
 *
 * - Transfers of one line are sequential. A reader occupies the line for 1 / READERS of a transfer,
 *   a writer for all of it.
 * - Loads that no store, read-modify-write, fence or pause separates overlap. So do stores, which
 *   become visible in order (TSO). A core has at most WINDOW transfers in flight; each starts
 *   gap_ns after the previous one.
 * - A store follows earlier loads. A read-modify-write, a sequentially consistent store and a fence
 *   wait for everything before them and delay everything after them.
 * - After a pause, a thread depends on its earlier loads. It continues when a line is written that
 *   it has read since the previous pause.
 * - Branches are predicted, sleeping costs one transfer, memory is as far as the other package.
 *
 * Threads: one runs at a time. Errors: end the process. */
#ifndef SOLO_COHERENCE_MODEL_H
#define SOLO_COHERENCE_MODEL_H

#include <stdint.h>

enum { CORES_MAX = 512, LINES_POLLED = 1024, WINDOW = 10, READERS = 8 };

typedef struct machine {
  unsigned line_bytes; /* 128: processors fetch pairs of lines (--pairs) */
  int per_core;        /* hardware threads per core, which share a cache */
  int per_package;     /* cores */
  double near_ns;      /* transfer within a package */
  double far_ns;       /* transfer from another package */
  double gap_ns;       /* between the starts of two transfers */
  double pause_ns;
  double step_ns; /* access to a cached line */
} machine;

extern machine the_machine;

typedef struct line line;

/* The model's state of a thread. Integers are chain lengths. */
typedef struct flow {
  int core;
  uint32_t issued; /* transfers since base */
  uint32_t base, loads, stores;
  double base_ns, loads_ns, stores_ns;
  line *polled[LINES_POLLED]; /* lines loaded since the last pause */
  uint64_t version[LINES_POLLED];
  int polls; /* above LINES_POLLED: overflow */
} flow;

typedef struct tally {
  uint64_t transfers, upgrades; /* transfers that move no data */
  uint32_t chain;
  double ns;
} tally;

extern tally now_counted;

enum access { LOAD, STORE, UPDATE };
/* UPDATE includes sequentially consistent stores. */
void model_touch(flow *t, const void *address, unsigned bytes, enum access kind);
void model_fence(flow *t);
void model_pause(flow *t);
/* After a pause: returns 1 if no line that the thread has read has changed. A write to such a line
 * then wakes the thread. */
int model_would_wait(flow *t, int number);
void model_forget_watches(flow *t, int number);
/* Resets clocks and chains, but not the caches. */
void model_reset_lines(void);
void model_reset_flow(flow *t);
void model_note_end(const flow *t);

/* Called by model.c: a line that the thread watches was written, and the write is visible at this
 * time. */
void thread_wake(int number, double ns);

#endif

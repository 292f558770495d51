/* A simulated machine with many cores, which counts the transfers of cache lines between threads.
 *
 * Compiler instrumentation (-fsanitize=thread) calls hooks.c at each memory access. threads.c runs
 * one thread at a time, the one with the lowest clock, so that results are reproducible. model.c
 * simulates MESI. An access is a transfer if the core lacks the line or the right to write it (an
 * upgrade). A chain is a sequence of transfers that depend on each other.
 *
 * - Transfers of one line are sequential. A reader occupies the line for 1 / READERS of a transfer,
 *   a writer for all of it.
 * - Loads overlap unless a store, read-modify-write, fence or pause separates them. Stores overlap
 *   and become visible in order (TSO). A core has at most WINDOW transfers in flight.
 * - A store follows earlier loads. A read-modify-write, a sequentially consistent store and a fence
 *   order all accesses.
 * - After a pause, a thread depends on its earlier loads, and continues when a line that it has
 *   read is written.
 * - Branches are predicted, sleeping costs one transfer, memory is as far as the other package. */
#ifndef SOLO_COHERENCE_MODEL_H
#define SOLO_COHERENCE_MODEL_H

#include <stdint.h>

enum { CORES_MAX = 512, LINES_POLLED = 1024, WINDOW = 10, READERS = 8 };

typedef struct machine {
  unsigned line_bytes; /* 64; with --pairs: 128 */
  int per_core;        /* hardware threads per core */
  int per_package;     /* cores */
  double near_ns;      /* transfer within a package */
  double far_ns;       /* transfer from another package */
  double gap_ns;       /* between the starts of two transfers */
  double pause_ns;
  double step_ns; /* access to a cached line */
} machine;

extern machine the_machine;

typedef struct line line;

/* State of a thread. base, loads and stores are chain lengths. */
typedef struct flow {
  int core;
  uint32_t issued; /* transfers since base was set */
  uint32_t base, loads, stores;
  double base_ns, loads_ns, stores_ns;
  line *polled[LINES_POLLED]; /* lines loaded since the last pause */
  uint64_t version[LINES_POLLED];
  int polls;
} flow;

typedef struct tally {
  uint64_t transfers, upgrades; /* upgrades: transfers without data */
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
 * wakes the thread. */
int model_must_wait(flow *t, int number);
void model_remove_watches(flow *t, int number);
/* Resets clocks and chains, but not the caches. */
void model_reset_lines(void);
void model_reset_flow(flow *t);
void model_note_end(const flow *t);

/* Called by model.c when a watched line is written; ns is the time of the write. */
void thread_wake(int number, double ns);

#endif

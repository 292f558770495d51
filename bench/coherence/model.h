/* A machine of many cores for programs that run on few: which cache line goes where, when, and after what.
 *
 * The library is compiled so that the compiler calls hooks.c at each access to memory, atomic or not (the pass of
 * ThreadSanitizer; no line of the library is written for it). threads.c runs one thread at a time, the one
 * whose clock is least, so a run of 512 threads on two processors is the same every time. model.c keeps lines as MESI
 * does and asks of each access:
 *   - is it a transfer, that is, does the core lack the line, or may it not write to it? (An upgrade from shared to
 *     modified moves no data, but takes the same round, and counts.)
 *   - on which transfers does it depend? Its chain is one longer than theirs.
 *
 * Rules, the same for every design that is compared:
 *   - Transfers of one line come one after the other, those of readers, too (in time a reader holds the line for
 *     1 / READERS of a transfer only, a writer for all of it).
 *   - Loads of a thread that no store, read-modify-write, fence or pause separates overlap, as out of order cores let
 *     them; so do stores, which become visible in order (TSO). No more than WINDOW transfers of a core at once; in
 *     time each starts GAP after the one before.
 *   - A store comes after the loads before it. A read-modify-write, a sequentially consistent store and a fence
 *     wait for everything before them, and what follows waits for them.
 *   - A thread that pauses has seen what it read: what follows depends on it. It runs again when a line that it read
 *     since the pause before is written.
 * Branches are predicted, sleeping costs what a transfer costs, memory is as near as the other package.
 *
 * Threads: those of the program; one runs at a time. Errors: what goes wrong here ends the process.
 */
#ifndef SOLO_COHERENCE_MODEL_H
#define SOLO_COHERENCE_MODEL_H

#include <stdint.h>

enum { CORES_MAX = 512, LINES_POLLED = 1024, WINDOW = 10, READERS = 8 };

typedef struct machine {
  unsigned line_bytes; /* 128: a pair of lines is one, as where processors fetch both (--pairs) */
  int per_core;        /* hardware threads; they share a cache, so nothing moves between them */
  int per_package;     /* cores */
  double near_ns;      /* a transfer within a package */
  double far_ns;       /* from another package */
  double gap_ns;       /* between the starts of two transfers of a core */
  double pause_ns;
  double step_ns; /* an access to a line that is there */
} machine;

extern machine the_machine;

typedef struct line line;

/* What the model keeps of a thread. depth: of chains; ns: times. */
typedef struct flow {
  int core;
  uint32_t issued; /* transfers since base */
  uint32_t base, loads, stores;
  double base_ns, loads_ns, stores_ns;
  line *polled[LINES_POLLED]; /* loads since the last pause, to know whether waiting makes sense */
  uint64_t version[LINES_POLLED];
  int polls; /* above LINES_POLLED: too many */
} flow;

typedef struct tally {
  uint64_t transfers, upgrades; /* of all transfers, those that move no data */
  uint32_t chain;
  double ns;
} tally;

extern tally now_counted;

enum access { LOAD, STORE, UPDATE };
/* A plain access; UPDATE also for sequentially consistent stores. */
void model_touch(flow *t, const void *address, unsigned bytes, enum access kind);
void model_fence(flow *t);
void model_pause(flow *t);
/* After a pause: has nothing that it read changed? Then the writer of any of it wakes the thread (number). */
int model_would_wait(flow *t, int number);
void model_forget_watches(flow *t, int number);
/* All clocks and chains begin anew; what is in which cache stays. */
void model_reset_lines(void);
void model_reset_flow(flow *t);
void model_note_end(const flow *t);

/* threads.c, for model.c: a line that the thread watches was written, visible at that time. */
void thread_wake(int number, double ns);

#endif

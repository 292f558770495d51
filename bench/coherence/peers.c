/* Barriers after the designs of libomp and libgomp (peers.h). */
#include "bench/coherence/peers.h"

#include "runtime/base/atomic.h"

enum { THREADS_MAX = 512, BITS = 2, BRANCHES = 1 << BITS };

static void wait_for(_Atomic uint64_t *word, uint64_t value) {
  while (solo_load_acquire(word) != value) solo_cpu_relax(); /* pairs with signal_word */
}

static void signal_word(_Atomic uint64_t *word) {
  (void)solo_add_acq_rel(word, 1); /* pairs with wait_for */
}

/* --- libomp: hyper -----------------------------------------------------------------------------*/

typedef struct hyper_thread {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t go;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t arrived;
  SOLO_ALIGNED(SOLO_CACHE_LINE) uint64_t ups; /* private */
  uint64_t downs;
  SOLO_ALIGNED(SOLO_CACHE_LINE)
  double **parts; /* of a reduction: pointers to the thread's copies */
} hyper_thread;
static hyper_thread hyper[THREADS_MAX];

/* Stands for data on a thread's stack. */
typedef struct hyper_part {
  SOLO_ALIGNED(SOLO_CACHE_LINE) double *list;
  SOLO_ALIGNED(SOLO_CACHE_LINE) double value;
} hyper_part;
static hyper_part hyper_parts[THREADS_MAX];

/* is_reduction: also adds the values of the children. */
static void gather(int number, int size, int is_reduction) {
  uint64_t state = ++hyper[number].ups;
  for (int level = 0, offset = 1; offset < size; level += BITS, offset <<= BITS) {
    if (number >> level & (BRANCHES - 1)) {
      signal_word(&hyper[number].arrived);
      return;
    }
    for (int child = 1; child < BRANCHES && number + child * offset < size; child++) {
      wait_for(&hyper[number + child * offset].arrived, state);
      if (is_reduction) hyper_parts[number].value += *hyper[number + child * offset].parts[0];
    }
  }
}

static void hyper_up(int number, int size) {
  gather(number, size, 0);
}

static void hyper_down(int number, int size) {
  int level = 0, offset = 1;
  for (; offset < size && !(number >> level & (BRANCHES - 1)); level += BITS) offset <<= BITS;
  uint64_t state = ++hyper[number].downs;
  if (number) wait_for(&hyper[number].go, state);
  for (offset >>= BITS; offset > 0; offset >>= BITS)
    for (int child = BRANCHES - 1; child > 0; child--)
      if (number + child * offset < size) signal_word(&hyper[number + child * offset].go);
}

static void hyper_barrier(int number, int size) {
  hyper_up(number, size);
  hyper_down(number, size);
}

static void hyper_reduce(int number, int size) {
  hyper_part *own = &hyper_parts[number];
  own->value = 1;
  own->list = &own->value;
  hyper[number].parts = &own->list;
  gather(number, size, 1);
  hyper_down(number, size);
}

const peer peer_hyper = {hyper_barrier, hyper_down, hyper_up, hyper_reduce, NULL};

/* --- libgomp: central --------------------------------------------------------------------------*/

typedef struct central {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t generation;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t arrived;
} central;
static central team, dock;

static void wait_central(central *at, int size) {
  uint64_t generation = solo_load_acquire(&at->generation); /* pairs with the release store below */
  /* pairs with the same operation of other threads */
  if (solo_add_acq_rel(&at->arrived, 1) + 1 == (uint64_t)size) {
    solo_store_relaxed(&at->arrived, 0);                 /* published by the next store */
    solo_store_release(&at->generation, generation + 1); /* pairs with wait_for */
  } else {
    wait_for(&at->generation, generation + 1);
  }
}

static void central_barrier(int number, int size) {
  (void)number;
  wait_central(&team, size);
}

static void central_fork(int number, int size) {
  (void)number;
  wait_central(&dock, size);
}

static struct {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t sum;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t chunk;
} shared;

static void central_reduce(int number, int size) {
  (void)number, (void)size;
  solo_add_relaxed(&shared.sum, 1); /* a counter */
}

/* Each thread makes one request too many. The counter is used modulo the requests of a loop, so it
 * needs no reset. */
static void central_loop(int size, int chunks) {
  uint64_t questions = (uint64_t)(size + chunks);
  while (solo_add_relaxed(&shared.chunk, 1) % questions < (uint64_t)chunks) { /* a counter */
  }
}

const peer peer_central = {central_barrier, central_fork, central_barrier, central_reduce,
                           central_loop};

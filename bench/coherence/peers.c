/* Barriers of libomp's and libgomp's designs (peers.h). */
#include "bench/coherence/peers.h"

#include "runtime/base/atomic.h"

enum { THREADS_MAX = 512, BITS = 2, BRANCHES = 1 << BITS };

static void wait_for(_Atomic uint64_t *word, uint64_t value) {
  while (solo_load_acquire(word) != value) solo_cpu_relax(); /* pairs with tell */
}

static void tell(_Atomic uint64_t *word) {
  (void)solo_add_acq_rel(word, 1); /* pairs with wait_for */
}

/* --- libomp: hyper -----------------------------------------------------------------------------*/

typedef struct hyper_thread {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t go;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t arrived;
  SOLO_ALIGNED(SOLO_CACHE_LINE) uint64_t ups; /* its own */
  uint64_t downs;
} hyper_thread;
static hyper_thread hyper[THREADS_MAX];

static void hyper_up(int number, int size) {
  uint64_t state = ++hyper[number].ups;
  for (int level = 0, offset = 1; offset < size; level += BITS, offset <<= BITS) {
    if (number >> level & (BRANCHES - 1)) {
      tell(&hyper[number].arrived);
      return;
    }
    for (int child = 1; child < BRANCHES && number + child * offset < size; child++)
      wait_for(&hyper[number + child * offset].arrived, state);
  }
}

static void hyper_down(int number, int size) {
  int level = 0, offset = 1;
  for (; offset < size && !(number >> level & (BRANCHES - 1)); level += BITS) offset <<= BITS;
  uint64_t state = ++hyper[number].downs;
  if (number) wait_for(&hyper[number].go, state);
  for (offset >>= BITS; offset > 0; offset >>= BITS)
    for (int child = BRANCHES - 1; child > 0; child--)
      if (number + child * offset < size) tell(&hyper[number + child * offset].go);
}

static void hyper_barrier(int number, int size) {
  hyper_up(number, size);
  hyper_down(number, size);
}

const peer peer_hyper = {hyper_barrier, hyper_down, hyper_up};

/* --- libgomp: central --------------------------------------------------------------------------*/

typedef struct central {
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t generation;
  SOLO_ALIGNED(SOLO_CACHE_LINE) _Atomic uint64_t arrived;
} central;
static central team, dock;

static void wait_central(central *at, int size) {
  uint64_t generation = solo_load_acquire(&at->generation); /* pairs with the last one's store */
  if (solo_add_acq_rel(&at->arrived, 1) + 1 == (uint64_t)size) { /* pairs with itself */
    solo_store_relaxed(&at->arrived, 0);                         /* published by the next */
    solo_store_release(&at->generation, generation + 1);         /* pairs with wait_for */
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

const peer peer_central = {central_barrier, central_fork, central_barrier};

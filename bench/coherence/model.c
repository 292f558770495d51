/* MESI simulation with chains and times (model.h). */
#include "bench/coherence/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 1 << 18, WORDS = CORES_MAX / 64 };

machine the_machine = {.line_bytes = 64,
                       .per_core = 1,
                       .per_package = 64,
                       .near_ns = 50,
                       .far_ns = 120,
                       .gap_ns = 5,
                       .pause_ns = 10,
                       .step_ns = 0.3};
tally now_counted;

struct line {
  uintptr_t address; /* 0: free */
  int owner;         /* core with write access; -1: none */
  uint64_t has[WORDS];
  uint64_t watch[WORDS]; /* threads that wait for a write */
  uint64_t version;
  uint32_t depth; /* chain length at the last transfer */
  double free_ns; /* earliest start of the next transfer */
};

static line table[TABLE];
static line *used[TABLE];
static int used_count;

static double larger(double a, double b) {
  return a > b ? a : b;
}

static uint32_t deeper(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static line *line_at(uintptr_t address) {
  uint64_t at = (address * 0x9E3779B97F4A7C15u) >> 46;
  while (table[at].address && table[at].address != address) at = (at + 1) % TABLE;
  line *l = &table[at];
  if (l->address) return l;
  if (used_count == TABLE / 2) {
    fprintf(stderr, "coherence: line table is full: %d lines\n", used_count);
    exit(1);
  }
  l->address = address;
  l->owner = -1;
  used[used_count++] = l;
  return l;
}

static int has(const line *l, int core) {
  return l->has[core / 64] >> core % 64 & 1;
}

/* Time of a transfer: from the nearest copy for a reader, to the farthest copy for a writer. */
static double distance_ns(const line *l, int core, int is_write) {
  int package = core / the_machine.per_package, is_near = 0, is_far = 0;
  for (int w = 0; w < WORDS; w++)
    for (uint64_t bits = l->has[w]; bits; bits &= bits - 1) {
      int other = w * 64 + __builtin_ctzll(bits);
      if (other == core) continue;
      if (other / the_machine.per_package == package)
        is_near = 1;
      else
        is_far = 1;
    }
  if (is_write) return is_far || !is_near ? the_machine.far_ns : the_machine.near_ns;
  return is_near ? the_machine.near_ns : the_machine.far_ns;
}

static void wake_watchers(line *l, double ns) {
  for (int w = 0; w < WORDS; w++)
    while (l->watch[w]) {
      int number = w * 64 + __builtin_ctzll(l->watch[w]);
      l->watch[w] &= l->watch[w] - 1;
      thread_wake(number, ns);
    }
}

static void own(line *l, int core) {
  if (has(l, core)) now_counted.upgrades++;
  memset(l->has, 0, sizeof l->has);
  l->has[core / 64] = (uint64_t)1 << core % 64;
  l->owner = core;
}

/* A thread's write to a line that only its core has (a stack) does not end its own wait. */
static void note_write(const flow *t, line *l) {
  if (l->owner != t->core || the_machine.per_core > 1) l->version++;
}

static void load(flow *t, line *l) {
  if (t->polls < LINES_POLLED) {
    t->polled[t->polls] = l;
    t->version[t->polls] = l->version;
  }
  if (t->polls <= LINES_POLLED) t->polls++;
  if (has(l, t->core)) return;
  double start = larger(t->base_ns + t->issued * the_machine.gap_ns, l->free_ns);
  double takes = distance_ns(l, t->core, 0);
  l->depth = deeper(t->base + t->issued / WINDOW, l->depth) + 1;
  l->free_ns = start + takes / READERS;
  t->issued++;
  t->loads = deeper(t->loads, l->depth);
  t->loads_ns = larger(t->loads_ns, start + takes);
  int is_first = 1;
  for (int w = 0; w < WORDS; w++) is_first &= l->has[w] == 0;
  l->owner = is_first ? t->core : -1; /* exclusive, or shared */
  l->has[t->core / 64] |= (uint64_t)1 << t->core % 64;
  now_counted.transfers++;
}

static void store(flow *t, line *l) {
  double ready = larger(larger(t->base_ns, t->loads_ns), t->stores_ns);
  note_write(t, l);
  uint32_t depth = deeper(t->base, t->loads);
  if (l->owner != t->core) {
    double start = larger(t->base_ns + t->issued * the_machine.gap_ns, t->loads_ns);
    start = larger(start, l->free_ns);
    t->stores_ns = larger(t->stores_ns, start + distance_ns(l, t->core, 1));
    ready = t->stores_ns;
    depth = deeper(deeper(t->base + t->issued / WINDOW, t->loads), l->depth) + 1;
    t->issued++;
    now_counted.transfers++;
    own(l, t->core);
  }
  t->stores = deeper(t->stores, depth);
  l->depth = deeper(l->depth, t->stores);
  l->free_ns = larger(l->free_ns, ready);
  wake_watchers(l, l->free_ns);
}

void model_fence(flow *t) {
  t->base = deeper(t->base, deeper(t->loads, t->stores));
  t->base_ns = larger(t->base_ns, larger(t->loads_ns, t->stores_ns));
  t->issued = 0;
}

static void update(flow *t, line *l) {
  model_fence(t);
  note_write(t, l);
  if (l->owner != t->core) {
    t->base = deeper(t->base, l->depth) + 1;
    t->base_ns = larger(t->base_ns, l->free_ns) + distance_ns(l, t->core, 1);
    now_counted.transfers++;
    own(l, t->core);
  }
  t->base_ns += the_machine.step_ns * 16;
  l->depth = deeper(l->depth, t->base);
  l->free_ns = larger(l->free_ns, t->base_ns);
  wake_watchers(l, l->free_ns);
}

void model_touch(flow *t, const void *address, unsigned bytes, enum access kind) {
  uintptr_t unit = the_machine.line_bytes, first = (uintptr_t)address / unit,
            last = ((uintptr_t)address + (bytes ? bytes - 1 : 0)) / unit;
  for (; first <= last; first++) {
    line *l = line_at(first);
    t->base_ns += the_machine.step_ns;
    if (kind == LOAD)
      load(t, l);
    else if (kind == STORE)
      store(t, l);
    else
      update(t, l);
  }
}

void model_pause(flow *t) {
  t->base = deeper(t->base, t->loads);
  t->base_ns = larger(t->base_ns, t->loads_ns) + the_machine.pause_ns;
  t->issued = 0;
}

int model_must_wait(flow *t, int number) {
  int waits = t->polls && t->polls <= LINES_POLLED;
  for (int i = 0; waits && i < t->polls; i++) waits = t->version[i] == t->polled[i]->version;
  if (waits)
    for (int i = 0; i < t->polls; i++)
      t->polled[i]->watch[number / 64] |= (uint64_t)1 << number % 64;
  else
    t->polls = 0;
  return waits;
}

void model_remove_watches(flow *t, int number) {
  for (int i = 0; i < t->polls; i++)
    t->polled[i]->watch[number / 64] &= ~((uint64_t)1 << number % 64);
  t->polls = 0;
}

void model_reset_lines(void) {
  for (int i = 0; i < used_count; i++) {
    used[i]->depth = 0;
    used[i]->free_ns = 0;
  }
  now_counted = (tally){0};
}

void model_reset_flow(flow *t) {
  t->issued = t->base = t->loads = t->stores = 0;
  t->base_ns = t->loads_ns = t->stores_ns = 0;
}

void model_note_end(const flow *t) {
  now_counted.chain = deeper(now_counted.chain, deeper(t->base, t->loads));
  now_counted.ns = larger(now_counted.ns, larger(t->base_ns, t->loads_ns));
}

/* Thread scheduling (threads.h), and the library's system calls: futex, clock, yield. */
#define _GNU_SOURCE
#include "bench/coherence/threads.h"

#include "runtime/base/platform.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };
enum state { RUNNABLE, WATCHING, ASLEEP, AT_GATE, ENDED };

typedef struct thread {
  flow flow;
  sem_t turn;
  enum state state;
  const void *word; /* futex of a sleeper */
  void *(*start)(void *);
  void *argument;
} thread;

static thread *all[THREADS_MAX];
static int count;
static _Thread_local int my_number = -1;
static double others_ns; /* lowest clock of the other runnable threads */

static thread *me(void) {
  return all[my_number];
}

flow *thread_flow(void) {
  return my_number < 0 ? NULL : &me()->flow;
}

static thread *add_thread(void) {
  thread *t = aligned_alloc(64, (sizeof *t + 63) / 64 * 64);
  if (!t || count == THREADS_MAX) {
    fprintf(stderr, "coherence: cannot create thread %d\n", count);
    exit(1);
  }
  *t = (thread){.state = RUNNABLE};
  t->flow.core = count / the_machine.per_core;
  sem_init(&t->turn, 0, 0);
  all[count++] = t;
  return t;
}

void threads_begin(void) {
  add_thread();
  my_number = 0;
  others_ns = 1e300;
}

/* Returns the runnable thread with the lowest clock, or -1. Sets others_ns to the lowest clock of
 * the others. */
static int choose(void) {
  int best = -1;
  others_ns = 1e300;
  for (int i = 0; i < count; i++) {
    if (all[i]->state != RUNNABLE) continue;
    double ns = all[i]->flow.base_ns;
    if (best < 0 || ns < all[best]->flow.base_ns) {
      if (best >= 0) others_ns = all[best]->flow.base_ns;
      best = i;
    } else if (ns < others_ns) {
      others_ns = ns;
    }
  }
  return best;
}

static void switch_away(void) {
  thread *self = me();
  int next = choose();
  if (next < 0) {
    fprintf(stderr, "coherence: deadlock: all %d threads wait\n", count);
    _exit(1);
  }
  if (next == my_number) return;
  sem_post(&all[next]->turn);
  if (self->state == ENDED) return;
  while (sem_wait(&self->turn) != 0) {
  }
}

void thread_step(void) {
  if (me()->flow.base_ns > others_ns) switch_away();
}

static void make_runnable(thread *t, double ns) {
  t->state = RUNNABLE;
  if (t->flow.base_ns < ns) t->flow.base_ns = ns;
  if (t->flow.base_ns < others_ns) others_ns = t->flow.base_ns;
}

void thread_wake(int number, double ns) {
  thread *t = all[number];
  if (t->state != WATCHING) return;
  model_remove_watches(&t->flow, number);
  make_runnable(t, ns);
}

void thread_pause(void) {
  thread *self = me();
  model_pause(&self->flow);
  if (model_must_wait(&self->flow, my_number)) self->state = WATCHING;
  switch_away();
}

static void *trampoline(void *argument) {
  my_number = (int)(intptr_t)argument;
  thread *self = me();
  while (sem_wait(&self->turn) != 0) {
  }
  void *result = self->start(self->argument);
  self->state = ENDED;
  switch_away();
  return result;
}

int __real_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument) {
  thread *t = add_thread();
  t->start = start;
  t->argument = argument;
  t->flow.base_ns = me()->flow.base_ns;
  if (t->flow.base_ns < others_ns) others_ns = t->flow.base_ns;
  return __real_pthread_create(handle, attributes, trampoline, (void *)(intptr_t)(count - 1));
}

static void reset(void) {
  model_reset_lines();
  for (int i = 0; i < count; i++) model_reset_flow(&all[i]->flow);
}

void measure_begin(void) {
  thread *self = me();
  for (;;) {
    self->state = AT_GATE;
    int next = choose();
    self->state = RUNNABLE;
    if (next < 0) break;
    self->flow.base_ns = all[next]->flow.base_ns + 1e6;
    switch_away();
  }
  reset();
  (void)choose();
}

tally measure_end(void) {
  model_note_end(&me()->flow);
  return now_counted;
}

static int at_gate;
static tally counted_together;

/* Returns 1 in the last thread, before the others continue. */
static int gate(int size) {
  if (++at_gate < size) {
    me()->state = AT_GATE;
    switch_away();
    return 0;
  }
  at_gate = 0;
  for (int i = 0; i < count; i++)
    if (all[i]->state == AT_GATE) make_runnable(all[i], 0);
  return 1;
}

void measure_begin_together(int size) {
  if (!gate(size)) return;
  reset();
  (void)choose();
}

tally measure_end_together(int size) {
  model_note_end(&me()->flow);
  if (at_gate == size - 1) counted_together = now_counted;
  (void)gate(size);
  return counted_together;
}

void solo_futex_wait(const _Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  thread *self = me();
  (void)timeout_ns;
  model_fence(&self->flow);
  if (*(const volatile uint32_t *)word != expected) return;
  self->word = (const void *)word;
  self->state = ASLEEP;
  switch_away();
}

int solo_futex_wake(const _Atomic uint32_t *word, int most) {
  thread *self = me();
  model_fence(&self->flow);
  int woken = 0;
  for (int i = 0; i < count && woken < most; i++) {
    if (all[i]->state != ASLEEP || all[i]->word != (const void *)word) continue;
    make_runnable(all[i], self->flow.base_ns + the_machine.near_ns);
    woken++;
  }
  return woken;
}

uint64_t solo_now_ns(void) {
  return my_number < 0 ? 0 : (uint64_t)me()->flow.base_ns;
}

uint32_t solo_thread_id(void) {
  return (uint32_t)gettid();
}

/* Does not wait for a write, unlike thread_pause(): since its last pause, the caller may have read
 * only lines that no thread writes again. */
int sched_yield(void) {
  if (my_number < 0) return 0;
  model_pause(&me()->flow);
  switch_away();
  return 0;
}

int32_t solo_kmp_procs(void);
int32_t solo_kmp_procs(void) {
  return CORES_MAX;
}

/* A work queue and its thread. */
#include "tests/sim/device/worker.h"

#include "tests/sim/device/calls.h"
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

typedef struct piece {
  struct piece *next;
  sim_work *work;
  alignas(16) char argument[];
} piece;

struct sim_worker {
  pthread_t thread;
  pthread_mutex_t lock; /* protects the other members */
  pthread_cond_t changed;
  piece *first, **end;
  uint64_t added, done;
  int stopping;
};

static void *run(void *argument) {
  sim_worker *w = argument;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    while (!w->first && !w->stopping) pthread_cond_wait(&w->changed, &w->lock);
    piece *p = w->first;
    if (!p) break;
    if (!(w->first = p->next)) w->end = &w->first;
    pthread_mutex_unlock(&w->lock);
    sim_delay();
    p->work(p->argument);
    free(p);
    pthread_mutex_lock(&w->lock);
    w->done++;
    pthread_cond_broadcast(&w->changed);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

sim_worker *sim_worker_start(void) {
  sim_worker *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->changed, NULL);
  w->end = &w->first;
  if (pthread_create(&w->thread, NULL, run, w) == 0) return w;
  free(w);
  return NULL;
}

void sim_worker_stop(sim_worker *w) {
  sim_hold_end();
  pthread_mutex_lock(&w->lock);
  w->stopping = 1;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->lock);
  free(w);
}

int sim_worker_add(sim_worker *w, sim_work *work, const void *argument, size_t size) {
  piece *p = malloc(sizeof *p + size);
  if (!p) return -1;
  p->next = NULL;
  p->work = work;
  if (size) memcpy(p->argument, argument, size);
  pthread_mutex_lock(&w->lock);
  *w->end = p;
  w->end = &p->next;
  w->added++;
  pthread_cond_broadcast(&w->changed);
  pthread_mutex_unlock(&w->lock);
  return 0;
}

int sim_worker_idle(sim_worker *w) {
  sim_hold_end();
  pthread_mutex_lock(&w->lock);
  int idle = w->done == w->added;
  pthread_mutex_unlock(&w->lock);
  return idle;
}

void sim_worker_wait(sim_worker *w) {
  sim_hold_end();
  pthread_mutex_lock(&w->lock);
  uint64_t until = w->added;
  while (w->done < until) pthread_cond_wait(&w->changed, &w->lock);
  pthread_mutex_unlock(&w->lock);
}

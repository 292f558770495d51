/* Doacross loops: ordered(n) with depend(sink), depend(source) or doacross. Each iteration of the
 * loop nest has a bit, which depend(source) sets. */
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/wait.h"
#include "abi/kmpc/team/worker_team.h"

#include <stdlib.h>

typedef struct kmpc_dimension {
  int64_t lower, upper, step;
} kmpc_dimension;

struct kmpc_extent {
  int64_t lower, step;
  uint64_t count;
};

static uint64_t count_of(const kmpc_dimension *d) {
  if (d->step > 0)
    return d->upper < d->lower ? 0 : (uint64_t)(d->upper - d->lower) / (uint64_t)d->step + 1;
  return d->lower < d->upper ? 0 : (uint64_t)(d->lower - d->upper) / (uint64_t)-d->step + 1;
}

void __kmpc_doacross_init(kmpc_ident *loc, int32_t gtid, int32_t count, const kmpc_dimension *d);
SOLO_EXPORT void __kmpc_doacross_init(kmpc_ident *loc, int32_t gtid, int32_t count,
                                      const kmpc_dimension *d) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_loop *loop = self->context.loop;
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  loop->cross = NULL;
  if (!worker_team) return;
  struct kmpc_extent *extent = malloc((size_t)count * sizeof *extent);
  if (!extent) solo_kmp_fatal("out of memory for a doacross loop");
  uint64_t total = 1;
  for (int32_t i = 0; i < count; i++) {
    extent[i].lower = d[i].lower;
    extent[i].step = d[i].step;
    extent[i].count = count_of(&d[i]);
    total *= extent[i].count;
  }
  loop->extent = extent;
  loop->cross_dimensions = count;
  uint32_t number = self->context.crosses++;
  kmpc_loop_slot *slot = &worker_team->crosses[number % KMPC_LOOP_SLOTS];
  int entered = solo_kmp_slot_enter(self, slot, number);
  if (entered == KMPC_ENTER_CANCELLED) {
    free(extent);
    return;
  }
  if (entered == KMPC_ENTER_FIRST) {
    _Atomic uint64_t *flags = calloc(total / 64 + 1, sizeof *flags);
    if (!flags)
      solo_kmp_fatal("out of memory for a doacross loop of %llu iterations",
                     (unsigned long long)total);
    solo_store_relaxed(&slot->flags, flags); /* relaxed: solo_kmp_slot_ready publishes */
    solo_store_relaxed(&worker_team->dirty, 1);
    solo_kmp_slot_ready(self, slot);
  }
  loop->cross = slot;
  self->context.crossing = 1;
}

/* Returns 0 if the iteration is outside of the loop nest. */
static int number_of(const kmpc_loop *loop, const int64_t *vector, uint64_t *out_number) {
  uint64_t number = 0;
  for (int32_t i = 0; i < loop->cross_dimensions; i++) {
    const struct kmpc_extent *e = &loop->extent[i];
    int64_t distance = vector[i] - e->lower;
    if (e->step < 0) distance = -distance;
    if (distance < 0) return 0;
    uint64_t step = e->step < 0 ? (uint64_t)-e->step : (uint64_t)e->step;
    uint64_t index = step == 1 ? (uint64_t)distance : (uint64_t)distance / step;
    if (index >= e->count) return 0;
    number = number * e->count + index;
  }
  *out_number = number;
  return 1;
}

typedef struct posted {
  _Atomic uint64_t *word;
  uint64_t bit;
} posted;

static int is_posted(void *what) {
  const posted *at = what;
  return (solo_load_acquire(at->word) & at->bit) != 0; /* pairs with __kmpc_doacross_post */
}

void __kmpc_doacross_wait(kmpc_ident *loc, int32_t gtid, const int64_t *vector);
SOLO_EXPORT void __kmpc_doacross_wait(kmpc_ident *loc, int32_t gtid, const int64_t *vector) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_loop *loop = self->context.loop;
  uint64_t number;
  if (!self->context.team->worker_team || !loop->cross || !number_of(loop, vector, &number)) return;
  /* relaxed: constant since init */
  posted at = {&solo_load_relaxed(&loop->cross->flags)[number / 64], (uint64_t)1 << number % 64};
  solo_kmp_wait(self, &self->context.team->eventcount, is_posted, solo_kmp_no_help, &at);
}

void __kmpc_doacross_post(kmpc_ident *loc, int32_t gtid, const int64_t *vector);
SOLO_EXPORT void __kmpc_doacross_post(kmpc_ident *loc, int32_t gtid, const int64_t *vector) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_loop *loop = self->context.loop;
  uint64_t number;
  if (!self->context.team->worker_team || !loop->cross || !number_of(loop, vector, &number)) return;
  _Atomic uint64_t *flags = solo_load_relaxed(&loop->cross->flags);
  /* pairs with is_posted: a sink sees the data of its source */
  solo_or_seq_cst(&flags[number / 64], (uint64_t)1 << number % 64);
  solo_kmp_notify(&self->context.team->eventcount);
}

void __kmpc_doacross_fini(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_doacross_fini(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_loop *loop = self->context.loop;
  if (!self->context.team->worker_team || !loop->cross) return;
  kmpc_loop_slot *slot = loop->cross;
  loop->cross = NULL;
  self->context.crossing = 0;
  free(loop->extent);
  if (!solo_kmp_slot_leave(self, slot)) return;
  free((void *)solo_load_relaxed(&slot->flags));
  solo_store_relaxed(&slot->flags, NULL); /* relaxed: solo_kmp_slot_free publishes */
  solo_kmp_slot_free(self, slot);
}

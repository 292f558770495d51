#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

void __kmpc_barrier(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_barrier(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  solo_kmp_barrier(solo_kmp_self());
}

/* The variable of a critical section: 32 zeroed bytes, common to all translation units. */
typedef struct kmpc_critical_name {
  solo_lock lock;
  int32_t rest[7];
} kmpc_critical_name;

void __kmpc_critical(kmpc_ident *loc, int32_t gtid, kmpc_critical_name *name);
SOLO_EXPORT void __kmpc_critical(kmpc_ident *loc, int32_t gtid, kmpc_critical_name *name) {
  (void)loc, (void)gtid;
  solo_lock_acquire(&name->lock);
}

void __kmpc_critical_with_hint(kmpc_ident *loc, int32_t gtid, kmpc_critical_name *name,
                               uint32_t hint);
SOLO_EXPORT void __kmpc_critical_with_hint(kmpc_ident *loc, int32_t gtid, kmpc_critical_name *name,
                                           uint32_t hint) {
  (void)loc, (void)gtid, (void)hint;
  solo_lock_acquire(&name->lock);
}

void __kmpc_end_critical(kmpc_ident *loc, int32_t gtid, kmpc_critical_name *name);
SOLO_EXPORT void __kmpc_end_critical(kmpc_ident *loc, int32_t gtid, kmpc_critical_name *name) {
  (void)loc, (void)gtid;
  solo_lock_release(&name->lock);
}

/* The thread that increments worker_team->singles from k to k + 1 executes single construct k. */
int32_t __kmpc_single(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_single(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return 1;
  uint32_t own_single = self->context.singles++;
  /* relaxed: the barrier at the end of the construct orders the effects of the block */
  return solo_load_relaxed(&worker_team->singles) == own_single &&
         solo_cas_relaxed(&worker_team->singles, &own_single, own_single + 1);
}

void __kmpc_end_single(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_single(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
}

void __kmpc_copyprivate(kmpc_ident *loc, int32_t gtid, size_t size, void *data,
                        void (*copy)(void *to, void *from), int32_t did_it);
SOLO_EXPORT void __kmpc_copyprivate(kmpc_ident *loc, int32_t gtid, size_t size, void *data,
                                    void (*copy)(void *to, void *from), int32_t did_it) {
  (void)loc, (void)gtid, (void)size;
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return;
  if (did_it) worker_team->copyprivate = data;
  solo_kmp_barrier(self);
  if (!did_it) copy(data, worker_team->copyprivate);
  solo_kmp_barrier(self);
}

/* copyprivate of OpenMP 6: returns the data; the compiled code copies them. */
void *__kmpc_copyprivate_light(kmpc_ident *loc, int32_t gtid, void *data);
SOLO_EXPORT void *__kmpc_copyprivate_light(kmpc_ident *loc, int32_t gtid, void *data) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  kmpc_worker_team *worker_team = self->context.team->worker_team;
  if (!worker_team) return data;
  if (data) worker_team->copyprivate = data;
  solo_kmp_barrier(self);
  return worker_team->copyprivate;
}

int32_t __kmpc_master(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_master(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  return solo_kmp_self()->context.tid == 0;
}

void __kmpc_end_master(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_master(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
}

int32_t __kmpc_masked(kmpc_ident *loc, int32_t gtid, int32_t filter);
SOLO_EXPORT int32_t __kmpc_masked(kmpc_ident *loc, int32_t gtid, int32_t filter) {
  (void)loc, (void)gtid;
  return solo_kmp_self()->context.tid == filter;
}

void __kmpc_end_masked(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_masked(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
}

void __kmpc_flush(kmpc_ident *loc);
SOLO_EXPORT void __kmpc_flush(kmpc_ident *loc) {
  (void)loc;
  solo_fence_seq_cst(); /* pairs with the flush of another thread */
}

int32_t __kmpc_barrier_master(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_barrier_master(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  solo_kmp_barrier(self);
  return self->context.tid == 0;
}

void __kmpc_end_barrier_master(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT void __kmpc_end_barrier_master(kmpc_ident *loc, int32_t gtid) {
  (void)loc, (void)gtid;
  solo_kmp_barrier(solo_kmp_self());
}

int32_t __kmpc_barrier_master_nowait(kmpc_ident *loc, int32_t gtid);
SOLO_EXPORT int32_t __kmpc_barrier_master_nowait(kmpc_ident *loc, int32_t gtid) {
  return __kmpc_barrier_master(loc, gtid);
}

/* Interfaces between the files of abi/gomp, and the entry points of abi/kmpc that they call. Each
 * function acts on the calling thread's team and task. Errors: solo_kmp_fatal(). */
#ifndef SOLO_GOMP_INTERNAL_H
#define SOLO_GOMP_INTERNAL_H

#include "abi/gomp/gomp.h"
#include "abi/kmpc/loop/loop.h"
#include "abi/kmpc/loop/schedule.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

/* threads: clause num_threads, or 0; 1 also for if(0). bind: clause proc_bind, or 0. */
void solo_gomp_fork(kmpc_micro micro, int32_t count, void **args, unsigned threads, unsigned bind);
kmpc_region solo_gomp_region(kmpc_thread *self, kmpc_micro micro, int32_t count, void **args,
                             unsigned threads, unsigned bind);
void solo_gomp_run_region(kmpc_thread *self, const kmpc_region *region, unsigned bind);
/* Each thread calls this function first in a region. Loops that GCC divides inline are not counted, so
 * context.works begins with 1: team/cancel.c requires a number other than 0. */
SOLO_INLINE void solo_gomp_begin_part(void) {
  solo_kmp_thread_record.context.works = 1;
}

typedef struct gomp_space {
  uint64_t start, trip;
  int64_t step;
  int32_t past; /* 1: GCC's loop condition is <; -1: > */
} gomp_space;

typedef struct gomp_schedule {
  int32_t kind;
  int64_t chunk;
} gomp_schedule;

SOLO_INLINE gomp_space solo_gomp_long_space(long start, long end, long step) {
  gomp_space s = {.start = (uint64_t)start, .step = step, .past = step > 0 ? 1 : -1};
  uint64_t up = (uint64_t)end - (uint64_t)start - 1, down = (uint64_t)start - (uint64_t)end - 1;
  if (step > 0)
    s.trip = start < end ? up / (uint64_t)step + 1 : 0;
  else
    s.trip = end < start ? down / (0 - (uint64_t)step) + 1 : 0;
  return s;
}

SOLO_INLINE gomp_space solo_gomp_ull_space(bool up, gomp_ull start, gomp_ull end, gomp_ull step) {
  gomp_space s = {.start = start, .step = (int64_t)step, .past = up ? 1 : -1};
  if (up)
    s.trip = start < end ? (end - start - 1) / step + 1 : 0;
  else
    s.trip = end < start ? (start - end - 1) / (0 - step) + 1 : 0;
  return s;
}

void solo_gomp_loop_begin(const gomp_space *space, gomp_schedule schedule);
/* Returns 0 after the last chunk, when the thread has left the loop. *end is exclusive. */
int solo_gomp_loop_next(uint64_t *start, uint64_t *end);
/* Converts the schedule argument of GOMP_loop_start and similar functions. */
gomp_schedule solo_gomp_schedule(long schedule, int64_t chunk);
gomp_schedule solo_gomp_static(int64_t chunk);

/* The schedules in names of loop functions. WITH, WITHOUT: functions with and without a chunk argument.
 * bounded: this argument as int64_t. */
#define SOLO_GOMP_SCHEDULES(WITH, WITHOUT, bounded)                                                \
  WITH(static, solo_gomp_static(bounded).kind)                                                     \
  WITH(dynamic, KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC)                                             \
  WITH(guided, KMPC_GUIDED_CHUNKED | KMPC_MONOTONIC)                                               \
  WITH(nonmonotonic_dynamic, KMPC_DYNAMIC_CHUNKED | KMPC_NONMONOTONIC)                             \
  WITH(nonmonotonic_guided, KMPC_GUIDED_CHUNKED | KMPC_NONMONOTONIC)                               \
  WITHOUT(runtime, KMPC_RUNTIME | KMPC_MONOTONIC)                                                  \
  WITHOUT(nonmonotonic_runtime, KMPC_RUNTIME | KMPC_NONMONOTONIC)                                  \
  WITHOUT(maybe_nonmonotonic_runtime, KMPC_RUNTIME)

enum { GOMP_ORDERED = 32 };
#define SOLO_GOMP_ORDERED_SCHEDULES(WITH, WITHOUT, bounded)                                        \
  WITH(ordered_static, solo_gomp_static(bounded).kind + GOMP_ORDERED)                              \
  WITH(ordered_dynamic, KMPC_DYNAMIC_CHUNKED + GOMP_ORDERED)                                       \
  WITH(ordered_guided, KMPC_GUIDED_CHUNKED + GOMP_ORDERED)                                         \
  WITHOUT(ordered_runtime, KMPC_RUNTIME + GOMP_ORDERED)

/* Called before solo_gomp_loop_begin(). counts: iterations of each loop of the nest. */
void solo_gomp_doacross_begin(unsigned dimensions, const uint64_t *counts);

/* The barrier at the end of a construct. Increments context.works, so that the next static loop has
 * another number. */
SOLO_INLINE void solo_gomp_barrier(kmpc_thread *self) {
  self->context.works++;
  solo_kmp_barrier(self);
}
bool solo_gomp_barrier_cancel(void);

/* Number of existing blocks of workshare.c. */
extern _Atomic uint32_t solo_gomp_shared_blocks;
/* For a construct with reduction(task) or shared memory; reductions or memory may be NULL. *memory:
 * in, the number of bytes; out, zeroed memory that the team shares until the construct ends. The
 * caller has already counted the construct (context.works). */
void solo_gomp_share(kmpc_thread *self, uintptr_t *reductions, void **memory);
void solo_gomp_share_leave(kmpc_thread *self);

/* The array with which GCC describes task reductions. The copies of thread t begin at COPIES + t *
 * BYTES. */
enum {
  GOMP_REDUCTION_COUNT,
  GOMP_REDUCTION_BYTES,
  GOMP_REDUCTION_COPIES, /* before the registration: the alignment of the copies */
  GOMP_REDUCTION_ALLOCATOR,
  GOMP_REDUCTION_NEXT,
  GOMP_REDUCTION_UNUSED,
  GOMP_REDUCTION_END,
  /* from here, three words per variable: address, offset in the copies, unused */
  GOMP_REDUCTION_FIRST,
};
enum { GOMP_REDUCTION_WIDTH = 3 };
/* Allocates zeroed copies for `threads` threads. They are freed after `owners` calls of
 * solo_gomp_copies_release(). */
void solo_gomp_copies_make(uintptr_t *reductions, int32_t threads, int32_t owners);
void solo_gomp_copies_release(const uintptr_t *reductions);
void solo_gomp_reductions_attach(kmpc_thread *self, uintptr_t *reductions);

struct kmpc_depend;
enum { GOMP_FEW_DEPENDS = 16 };
int32_t solo_gomp_depend_count(void **depend);
void solo_gomp_depend_convert(void **depend, struct kmpc_depend *out);
/* Waits until a task with these dependences could begin. */
void solo_gomp_depend_wait(void **depend);

enum { GOMP_ON_HOST = -1 };
/* Returns the number of the CPU device for a construct with this device argument, or GOMP_ON_HOST. */
int32_t solo_gomp_device(kmpc_thread *self, int device);

void __kmpc_dispatch_init_8u(kmpc_ident *loc, int32_t gtid, int32_t schedule, uint64_t lower,
                             uint64_t upper, int64_t step, int64_t chunk);
int32_t __kmpc_dispatch_next_8u(kmpc_ident *loc, int32_t gtid, int32_t *last, uint64_t *lower,
                                uint64_t *upper, int64_t *stride);
int32_t __kmpc_cancel(kmpc_ident *loc, int32_t gtid, int32_t kind);
int32_t __kmpc_cancellationpoint(kmpc_ident *loc, int32_t gtid, int32_t kind);
int32_t __kmpc_cancel_barrier(kmpc_ident *loc, int32_t gtid);
int32_t __kmpc_single(kmpc_ident *loc, int32_t gtid);

#endif

#include "abi/gomp/internal.h"

static bool next(long *start, long *end) {
  uint64_t from, to;
  if (!solo_gomp_loop_next(&from, &to)) return false;
  *start = (long)from;
  *end = (long)to;
  return true;
}

static bool begin(long first, long last, long step, gomp_schedule schedule, long *start,
                  long *end) {
  gomp_space space = solo_gomp_long_space(first, last, step);
  solo_gomp_loop_begin(&space, schedule);
  return next(start, end);
}

#define NEXT(name)                                                                                 \
  bool GOMP_loop_##name##_next(long *start, long *end);                                            \
  SOLO_EXPORT bool GOMP_loop_##name##_next(long *start, long *end) {                               \
    return next(start, end);                                                                       \
  }
#define WITH_CHUNK(name, kind)                                                                     \
  bool GOMP_loop_##name##_start(long first, long last, long step, long chunk, long *start,         \
                                long *end);                                                        \
  SOLO_EXPORT bool GOMP_loop_##name##_start(long first, long last, long step, long chunk,          \
                                            long *start, long *end) {                              \
    return begin(first, last, step, (gomp_schedule){kind, chunk}, start, end);                     \
  }                                                                                                \
  NEXT(name)
#define WITHOUT_CHUNK(name, kind)                                                                  \
  bool GOMP_loop_##name##_start(long first, long last, long step, long *start, long *end);         \
  SOLO_EXPORT bool GOMP_loop_##name##_start(long first, long last, long step, long *start,         \
                                            long *end) {                                           \
    return begin(first, last, step, (gomp_schedule){kind, 0}, start, end);                         \
  }                                                                                                \
  NEXT(name)

SOLO_GOMP_SCHEDULES(WITH_CHUNK, WITHOUT_CHUNK, chunk)
SOLO_GOMP_ORDERED_SCHEDULES(WITH_CHUNK, WITHOUT_CHUNK, chunk)

/* start NULL: GCC divides the loop inline and ends it with GOMP_loop_end. */
static bool begin_shared(long first, long last, long step, gomp_schedule schedule, long *start,
                         long *end, uintptr_t *reductions, void **memory) {
  kmpc_thread *self = solo_kmp_self();
  gomp_space space = solo_gomp_long_space(first, last, step);
  if (start)
    solo_gomp_loop_begin(&space, schedule);
  else
    self->context.works++;
  solo_gomp_share(self, reductions, memory);
  return start ? next(start, end) : true;
}

bool GOMP_loop_start(long first, long last, long step, long schedule, long chunk, long *start,
                     long *end, uintptr_t *reductions, void **memory);
SOLO_EXPORT bool GOMP_loop_start(long first, long last, long step, long schedule, long chunk,
                                 long *start, long *end, uintptr_t *reductions, void **memory) {
  return begin_shared(first, last, step, solo_gomp_schedule(schedule, chunk), start, end,
                      reductions, memory);
}

bool GOMP_loop_ordered_start(long first, long last, long step, long schedule, long chunk,
                             long *start, long *end, uintptr_t *reductions, void **memory);
SOLO_EXPORT bool GOMP_loop_ordered_start(long first, long last, long step, long schedule,
                                         long chunk, long *start, long *end, uintptr_t *reductions,
                                         void **memory) {
  gomp_schedule ordered = solo_gomp_schedule(schedule, chunk);
  ordered.kind = KMPC_SCHEDULE_KIND(ordered.kind) + GOMP_ORDERED;
  return begin_shared(first, last, step, ordered, start, end, reductions, memory);
}

static bool begin_doacross(unsigned dimensions, const long *counts, gomp_schedule schedule,
                           long *start, long *end) {
  gomp_space space = solo_gomp_long_space(0, counts[0], 1);
  solo_gomp_doacross_begin(dimensions, (const uint64_t *)(const void *)counts);
  solo_gomp_loop_begin(&space, schedule);
  return start ? next(start, end) : true;
}

#define DOACROSS(name, kind)                                                                       \
  bool GOMP_loop_doacross_##name##_start(unsigned dimensions, long *counts, long chunk,            \
                                         long *start, long *end);                                  \
  SOLO_EXPORT bool GOMP_loop_doacross_##name##_start(unsigned dimensions, long *counts,            \
                                                     long chunk, long *start, long *end) {         \
    return begin_doacross(dimensions, counts, (gomp_schedule){kind, chunk}, start, end);           \
  }
DOACROSS(static, solo_gomp_static(chunk).kind)
DOACROSS(dynamic, KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC)
DOACROSS(guided, KMPC_GUIDED_CHUNKED | KMPC_MONOTONIC)

bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long *counts, long *start, long *end);
SOLO_EXPORT bool GOMP_loop_doacross_runtime_start(unsigned dimensions, long *counts, long *start,
                                                  long *end) {
  return begin_doacross(dimensions, counts, (gomp_schedule){KMPC_RUNTIME | KMPC_MONOTONIC, 0},
                        start, end);
}

bool GOMP_loop_doacross_start(unsigned dimensions, long *counts, long schedule, long chunk,
                              long *start, long *end, uintptr_t *reductions, void **memory);
SOLO_EXPORT bool GOMP_loop_doacross_start(unsigned dimensions, long *counts, long schedule,
                                          long chunk, long *start, long *end, uintptr_t *reductions,
                                          void **memory) {
  gomp_space space = solo_gomp_long_space(0, counts[0], 1);
  solo_gomp_doacross_begin(dimensions, (const uint64_t *)(const void *)counts);
  solo_gomp_loop_begin(&space, solo_gomp_schedule(schedule, chunk));
  solo_gomp_share(solo_kmp_self(), reductions, memory);
  return start ? next(start, end) : true;
}

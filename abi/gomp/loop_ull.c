#include "abi/gomp/internal.h"

/* A chunk above INT64_MAX is the whole loop. */
static int64_t clamp(gomp_ull chunk) {
  return chunk > INT64_MAX ? INT64_MAX : (int64_t)chunk;
}

static bool next(gomp_ull *start, gomp_ull *end) {
  uint64_t from, to;
  if (!solo_gomp_loop_next(&from, &to)) return false;
  *start = from;
  *end = to;
  return true;
}

static bool begin(bool up, gomp_ull first, gomp_ull last, gomp_ull step, gomp_schedule schedule,
                  gomp_ull *start, gomp_ull *end) {
  gomp_space space = solo_gomp_ull_space(up, first, last, step);
  solo_gomp_loop_begin(&space, schedule);
  return next(start, end);
}

#define NEXT(name)                                                                                 \
  bool GOMP_loop_ull_##name##_next(gomp_ull *start, gomp_ull *end);                                \
  SOLO_EXPORT bool GOMP_loop_ull_##name##_next(gomp_ull *start, gomp_ull *end) {                   \
    return next(start, end);                                                                       \
  }
#define WITH_CHUNK(name, kind)                                                                     \
  bool GOMP_loop_ull_##name##_start(bool up, gomp_ull first, gomp_ull last, gomp_ull step,         \
                                    gomp_ull chunk, gomp_ull *start, gomp_ull *end);               \
  SOLO_EXPORT bool GOMP_loop_ull_##name##_start(bool up, gomp_ull first, gomp_ull last,            \
                                                gomp_ull step, gomp_ull chunk, gomp_ull *start,    \
                                                gomp_ull *end) {                                   \
    return begin(up, first, last, step, (gomp_schedule){kind, clamp(chunk)}, start, end);          \
  }                                                                                                \
  NEXT(name)
#define WITHOUT_CHUNK(name, kind)                                                                  \
  bool GOMP_loop_ull_##name##_start(bool up, gomp_ull first, gomp_ull last, gomp_ull step,         \
                                    gomp_ull *start, gomp_ull *end);                               \
  SOLO_EXPORT bool GOMP_loop_ull_##name##_start(bool up, gomp_ull first, gomp_ull last,            \
                                                gomp_ull step, gomp_ull *start, gomp_ull *end) {   \
    return begin(up, first, last, step, (gomp_schedule){kind, 0}, start, end);                     \
  }                                                                                                \
  NEXT(name)

SOLO_GOMP_SCHEDULES(WITH_CHUNK, WITHOUT_CHUNK, clamp(chunk))
SOLO_GOMP_ORDERED_SCHEDULES(WITH_CHUNK, WITHOUT_CHUNK, clamp(chunk))

/* start NULL: as in loop_long.c. */
static bool begin_shared(bool up, gomp_ull first, gomp_ull last, gomp_ull step,
                         gomp_schedule schedule, gomp_ull *start, gomp_ull *end,
                         uintptr_t *reductions, void **memory) {
  kmpc_thread *self = solo_kmp_self();
  gomp_space space = solo_gomp_ull_space(up, first, last, step);
  if (start)
    solo_gomp_loop_begin(&space, schedule);
  else
    self->context.works++;
  solo_gomp_share(self, reductions, memory);
  return start ? next(start, end) : true;
}

bool GOMP_loop_ull_start(bool up, gomp_ull first, gomp_ull last, gomp_ull step, long schedule,
                         gomp_ull chunk, gomp_ull *start, gomp_ull *end, uintptr_t *reductions,
                         void **memory);
SOLO_EXPORT bool GOMP_loop_ull_start(bool up, gomp_ull first, gomp_ull last, gomp_ull step,
                                     long schedule, gomp_ull chunk, gomp_ull *start, gomp_ull *end,
                                     uintptr_t *reductions, void **memory) {
  return begin_shared(up, first, last, step, solo_gomp_schedule(schedule, clamp(chunk)), start, end,
                      reductions, memory);
}

bool GOMP_loop_ull_ordered_start(bool up, gomp_ull first, gomp_ull last, gomp_ull step,
                                 long schedule, gomp_ull chunk, gomp_ull *start, gomp_ull *end,
                                 uintptr_t *reductions, void **memory);
SOLO_EXPORT bool GOMP_loop_ull_ordered_start(bool up, gomp_ull first, gomp_ull last, gomp_ull step,
                                             long schedule, gomp_ull chunk, gomp_ull *start,
                                             gomp_ull *end, uintptr_t *reductions, void **memory) {
  gomp_schedule ordered = solo_gomp_schedule(schedule, clamp(chunk));
  ordered.kind = KMPC_SCHEDULE_KIND(ordered.kind) + GOMP_ORDERED;
  return begin_shared(up, first, last, step, ordered, start, end, reductions, memory);
}

static bool begin_doacross(unsigned dimensions, const gomp_ull *counts, gomp_schedule schedule,
                           gomp_ull *start, gomp_ull *end) {
  gomp_space space = solo_gomp_ull_space(true, 0, counts[0], 1);
  solo_gomp_doacross_begin(dimensions, (const uint64_t *)(const void *)counts);
  solo_gomp_loop_begin(&space, schedule);
  return start ? next(start, end) : true;
}

#define DOACROSS(name, kind)                                                                       \
  bool GOMP_loop_ull_doacross_##name##_start(unsigned dimensions, gomp_ull *counts,                \
                                             gomp_ull chunk, gomp_ull *start, gomp_ull *end);      \
  SOLO_EXPORT bool GOMP_loop_ull_doacross_##name##_start(                                          \
      unsigned dimensions, gomp_ull *counts, gomp_ull chunk, gomp_ull *start, gomp_ull *end) {     \
    return begin_doacross(dimensions, counts, (gomp_schedule){kind, clamp(chunk)}, start, end);    \
  }
DOACROSS(static, solo_gomp_static(clamp(chunk)).kind)
DOACROSS(dynamic, KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC)
DOACROSS(guided, KMPC_GUIDED_CHUNKED | KMPC_MONOTONIC)

bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, gomp_ull *counts, gomp_ull *start,
                                          gomp_ull *end);
SOLO_EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned dimensions, gomp_ull *counts,
                                                      gomp_ull *start, gomp_ull *end) {
  return begin_doacross(dimensions, counts, (gomp_schedule){KMPC_RUNTIME | KMPC_MONOTONIC, 0},
                        start, end);
}

bool GOMP_loop_ull_doacross_start(unsigned dimensions, gomp_ull *counts, long schedule,
                                  gomp_ull chunk, gomp_ull *start, gomp_ull *end,
                                  uintptr_t *reductions, void **memory);
SOLO_EXPORT bool GOMP_loop_ull_doacross_start(unsigned dimensions, gomp_ull *counts, long schedule,
                                              gomp_ull chunk, gomp_ull *start, gomp_ull *end,
                                              uintptr_t *reductions, void **memory) {
  gomp_space space = solo_gomp_ull_space(true, 0, counts[0], 1);
  solo_gomp_doacross_begin(dimensions, (const uint64_t *)(const void *)counts);
  solo_gomp_loop_begin(&space, solo_gomp_schedule(schedule, clamp(chunk)));
  solo_gomp_share(solo_kmp_self(), reductions, memory);
  return start ? next(start, end) : true;
}

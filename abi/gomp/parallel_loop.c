/* Combined parallel loops and sections. Their body calls GOMP_loop_..._next first, so each thread
 * begins the loop before it calls the body. */
#include "abi/gomp/internal.h"

typedef struct combined {
  gomp_function *body;
  void *data;
  gomp_space space;
  gomp_schedule schedule;
} combined;

static void run(int32_t *gtid, int32_t *tid, const combined *work) {
  (void)gtid, (void)tid;
  solo_gomp_begin_part();
  solo_gomp_loop_begin(&work->space, work->schedule);
  work->body(work->data);
}

static void fork(combined work, unsigned threads, unsigned flags) {
  void *args[1] = {&work};
  solo_gomp_fork((kmpc_micro)(void (*)(void))run, 1, args, threads, flags);
}

#define FORK(kind_, chunk_)                                                                        \
  combined work = {.body = body,                                                                   \
                   .data = data,                                                                   \
                   .space = solo_gomp_long_space(start, end, step),                                \
                   .schedule = {kind_, chunk_}};                                                   \
  fork(work, threads, flags)

#define WITH_CHUNK(name, kind)                                                                     \
  void GOMP_parallel_loop_##name(gomp_function *body, void *data, unsigned threads, long start,    \
                                 long end, long step, long chunk, unsigned flags);                 \
  SOLO_EXPORT void GOMP_parallel_loop_##name(gomp_function *body, void *data, unsigned threads,    \
                                             long start, long end, long step, long chunk,          \
                                             unsigned flags) {                                     \
    FORK(kind, chunk);                                                                             \
  }
#define WITHOUT_CHUNK(name, kind)                                                                  \
  void GOMP_parallel_loop_##name(gomp_function *body, void *data, unsigned threads, long start,    \
                                 long end, long step, unsigned flags);                             \
  SOLO_EXPORT void GOMP_parallel_loop_##name(gomp_function *body, void *data, unsigned threads,    \
                                             long start, long end, long step, unsigned flags) {    \
    FORK(kind, 0);                                                                                 \
  }

SOLO_GOMP_SCHEDULES(WITH_CHUNK, WITHOUT_CHUNK, chunk)

SOLO_EXPORT void GOMP_parallel_sections(gomp_function *body, void *data, unsigned threads,
                                        unsigned count, unsigned flags) {
  combined work = {.body = body,
                   .data = data,
                   .space = {.start = 1, .trip = count, .step = 1, .past = 1},
                   .schedule = {KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC, 1}};
  fork(work, threads, flags);
}

/* Parallel regions of GCC before version 4.9: the primary thread calls the body between
 * GOMP_parallel_start and GOMP_parallel_end. */
#include "abi/gomp/internal.h"
#include "abi/gomp/presence.h"

#include <stdlib.h>

typedef struct open_region {
  struct open_region *outer;
  int is_serial;
  gomp_function *body;
  void *data;
  int has_loop;
  gomp_space space;
  gomp_schedule schedule;
  void *args[1];
  kmpc_open_region region;
} open_region;

static _Thread_local open_region *innermost;

void __kmpc_serialized_parallel(kmpc_ident *loc, int32_t gtid);
void __kmpc_end_serialized_parallel(kmpc_ident *loc, int32_t gtid);

static void begin_part(const open_region *open) {
  solo_gomp_begin_part();
  if (open->has_loop) solo_gomp_loop_begin(&open->space, open->schedule);
}

static void run(int32_t *gtid, int32_t *tid, const open_region *open) {
  (void)gtid, (void)tid;
  begin_part(open);
  open->body(open->data);
}

static void begin(const open_region *model, unsigned threads) {
  kmpc_thread *self = solo_kmp_self();
  open_region *open = malloc(sizeof *open);
  if (!open) solo_kmp_fatal("out of memory for a region");
  *open = *model;
  open->args[0] = open;
  open->outer = innermost;
  innermost = open;
  kmpc_micro micro = (kmpc_micro)(void (*)(void))run;
  kmpc_region region = solo_gomp_region(self, micro, 1, open->args, threads, 0);
  open->is_serial = region.size <= 1 || !solo_kmp_region_open(self, &region, &open->region);
  if (open->is_serial) __kmpc_serialized_parallel(NULL, 0);
  begin_part(open);
}

SOLO_EXPORT void GOMP_parallel_start(gomp_function *body, void *data, unsigned threads) {
  open_region model = {.body = body, .data = data};
  begin(&model, threads);
}

SOLO_EXPORT void GOMP_parallel_end(void) {
  open_region *open = innermost;
  innermost = open->outer;
  if (open->is_serial)
    __kmpc_end_serialized_parallel(NULL, 0);
  else
    solo_kmp_region_close(&solo_kmp_thread_record, &open->region);
  free(open);
}

#define BEGIN(space_, ...)                                                                         \
  open_region model = {                                                                            \
      .body = body, .data = data, .has_loop = 1, .space = space_, .schedule = {__VA_ARGS__}};      \
  begin(&model, threads)

#define WITH_CHUNK(name, kind)                                                                     \
  void GOMP_parallel_loop_##name##_start(gomp_function *body, void *data, unsigned threads,        \
                                         long start, long end, long step, long chunk);             \
  SOLO_EXPORT void GOMP_parallel_loop_##name##_start(gomp_function *body, void *data,              \
                                                     unsigned threads, long start, long end,       \
                                                     long step, long chunk) {                      \
    BEGIN(solo_gomp_long_space(start, end, step), kind, chunk);                                    \
  }
WITH_CHUNK(static, solo_gomp_static(chunk).kind)
WITH_CHUNK(dynamic, KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC)
WITH_CHUNK(guided, KMPC_GUIDED_CHUNKED | KMPC_MONOTONIC)

void GOMP_parallel_loop_runtime_start(gomp_function *body, void *data, unsigned threads, long start,
                                      long end, long step);
SOLO_EXPORT void GOMP_parallel_loop_runtime_start(gomp_function *body, void *data, unsigned threads,
                                                  long start, long end, long step) {
  BEGIN(solo_gomp_long_space(start, end, step), KMPC_RUNTIME | KMPC_MONOTONIC, 0);
}

void GOMP_parallel_sections_start(gomp_function *body, void *data, unsigned threads,
                                  unsigned count);
SOLO_EXPORT void GOMP_parallel_sections_start(gomp_function *body, void *data, unsigned threads,
                                              unsigned count) {
  gomp_space space = {.start = 1, .trip = count, .step = 1, .past = 1};
  BEGIN(space, KMPC_DYNAMIC_CHUNKED | KMPC_MONOTONIC, 1);
}

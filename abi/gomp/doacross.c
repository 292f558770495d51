/* GOMP_doacross_post and GOMP_doacross_wait over loop/doacross.c. GCC numbers the iterations of
 * each loop of the nest from 0. The compiled code checks that the iteration of a sink exists. */
#include "abi/gomp/internal.h"

#include <stdarg.h>

typedef struct dimension {
  int64_t lower, upper, step;
} dimension;

void __kmpc_doacross_init(kmpc_ident *loc, int32_t gtid, int32_t count, const dimension *d);
void __kmpc_doacross_wait(kmpc_ident *loc, int32_t gtid, const int64_t *vector);
void __kmpc_doacross_post(kmpc_ident *loc, int32_t gtid, const int64_t *vector);

enum { MOST_DIMENSIONS = 64 };

void solo_gomp_doacross_begin(unsigned dimensions, const uint64_t *counts) {
  dimension d[MOST_DIMENSIONS];
  (void)solo_kmp_self();
  if (dimensions > MOST_DIMENSIONS)
    solo_kmp_fatal("ordered(%u): a loop nest can have at most %d loops", dimensions,
                   MOST_DIMENSIONS);
  for (unsigned i = 0; i < dimensions; i++) d[i] = (dimension){0, (int64_t)counts[i] - 1, 1};
  __kmpc_doacross_init(NULL, 0, (int32_t)dimensions, d);
}

static int32_t dimensions_of(const kmpc_thread *self) {
  return self->context.crossing ? self->context.loop->cross_dimensions : 0;
}

static void post(const void *iteration) {
  if (dimensions_of(solo_kmp_self())) __kmpc_doacross_post(NULL, 0, iteration);
}

#define WAIT(type)                                                                                 \
  int64_t vector[MOST_DIMENSIONS];                                                                 \
  int32_t count = dimensions_of(solo_kmp_self());                                                  \
  va_list rest;                                                                                    \
  if (!count) return;                                                                              \
  vector[0] = (int64_t)first;                                                                      \
  va_start(rest, first);                                                                           \
  for (int32_t i = 1; i < count; i++) vector[i] = (int64_t)va_arg(rest, type);                     \
  va_end(rest);                                                                                    \
  __kmpc_doacross_wait(NULL, 0, vector)

SOLO_EXPORT void GOMP_doacross_post(long *iteration) {
  post(iteration);
}

SOLO_EXPORT void GOMP_doacross_wait(long first, ...) {
  WAIT(long);
}

SOLO_EXPORT void GOMP_doacross_ull_post(gomp_ull *iteration) {
  post(iteration);
}

SOLO_EXPORT void GOMP_doacross_ull_wait(gomp_ull first, ...) {
  WAIT(gomp_ull);
}

/* The calling thread's record. A thread of the program becomes an initial thread when it first calls
 * the runtime. */
#ifndef SOLO_KMPC_THREAD_H
#define SOLO_KMPC_THREAD_H

#include "abi/kmpc/kmpc.h"

void solo_kmp_thread_begin(kmpc_thread *self) SOLO_COLD;

SOLO_INLINE kmpc_thread *solo_kmp_self(void) {
  kmpc_thread *self = &solo_kmp_thread_record;
  __asm__("" : "+r"(self)); /* computes the thread-local address only once */
  if (SOLO_UNLIKELY(!self->context.team)) solo_kmp_thread_begin(self);
  return self;
}

int32_t solo_kmp_new_gtid(void);
int32_t solo_kmp_gtid_bound(void);

/* Returns the launch if `team` is the initial team of a target region, else NULL. */
struct solo_target_call;
const struct solo_target_call *solo_kmp_target_call(const kmpc_team *team);

#endif

/* The calling thread, and how a thread of the program becomes an initial thread.
 *
 * Threads: any, each about itself. Ownership: a record is its thread's. Errors: none.
 */
#ifndef SOLO_KMPC_THREAD_H
#define SOLO_KMPC_THREAD_H

#include "abi/kmpc/kmpc.h"

void solo_kmp_thread_begin(kmpc_thread *self) SOLO_COLD;

/* The calling thread's record; a thread of the program's becomes an initial thread here. */
SOLO_INLINE kmpc_thread *solo_kmp_self(void) {
  kmpc_thread *self = &solo_kmp_thread_record;
  __asm__("" : "+r"(self)); /* keep it: finding a thread-local address again looks like a call */
  if (SOLO_UNLIKELY(!self->context.team)) solo_kmp_thread_begin(self);
  return self;
}

/* Numbers of threads, given out from 0 up; bound: how many have been. */
int32_t solo_kmp_new_gtid(void);
int32_t solo_kmp_gtid_bound(void);

/* How the kernel was launched whose initial team this is; NULL: another team. */
struct solo_target_call;
const struct solo_target_call *solo_kmp_target_call(const kmpc_team *team);

#endif

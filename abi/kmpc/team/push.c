#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

void __kmpc_push_num_threads(kmpc_ident *loc, int32_t gtid, int32_t threads);
SOLO_EXPORT void __kmpc_push_num_threads(kmpc_ident *loc, int32_t gtid, int32_t threads) {
  (void)loc, (void)gtid;
  solo_kmp_self()->push_threads = threads;
}

void __kmpc_push_num_threads_strict(kmpc_ident *loc, int32_t gtid, int32_t threads,
                                    int32_t severity, const char *message);
SOLO_EXPORT void __kmpc_push_num_threads_strict(kmpc_ident *loc, int32_t gtid, int32_t threads,
                                                int32_t severity, const char *message) {
  (void)loc, (void)gtid;
  kmpc_thread *self = solo_kmp_self();
  self->push_threads = threads;
  self->push_strict = (kmpc_strict){threads, severity, message};
}

void solo_kmp_check_strict(kmpc_strict *strict, int32_t size) {
  int32_t wanted = strict->threads;
  strict->threads = 0;
  if (size == wanted) return;
  const char *message = strict->message ? strict->message : "num_threads(strict) is not satisfied";
  const char *why = "\n  hint: check OMP_THREAD_LIMIT, OMP_MAX_ACTIVE_LEVELS and OMP_DYNAMIC";
  if (strict->severity == KMPC_SEVERITY_WARNING)
    solo_kmp_warn("%s: a parallel region has %d threads, not %d%s", message, size, wanted, why);
  else
    solo_kmp_fatal("%s: a parallel region can have %d threads, not %d%s", message, size, wanted,
                   why);
}

void __kmpc_push_proc_bind(kmpc_ident *loc, int32_t gtid, int32_t bind);
SOLO_EXPORT void __kmpc_push_proc_bind(kmpc_ident *loc, int32_t gtid, int32_t bind) {
  (void)loc, (void)gtid;
  solo_kmp_self()->push_bind = bind;
}

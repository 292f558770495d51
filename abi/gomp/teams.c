#include "abi/gomp/internal.h"

#include <string.h>

void __kmpc_push_num_teams(kmpc_ident *loc, int32_t gtid, int32_t teams, int32_t thread_limit);

static void run(int32_t *gtid, int32_t *tid, gomp_function *body, void *data) {
  (void)gtid, (void)tid;
  solo_gomp_begin_part();
  body(data);
}

SOLO_EXPORT void GOMP_teams_reg(gomp_function *body, void *data, unsigned teams,
                                unsigned thread_limit, unsigned flags) {
  void *args[2] = {NULL, data};
  (void)flags;
  memcpy(&args[0], &body, sizeof body);
  __kmpc_push_num_teams(NULL, 0, (int32_t)teams, (int32_t)thread_limit);
  solo_kmp_league_run(solo_kmp_self(), (kmpc_micro)(void (*)(void))run, 2, args, 0);
}

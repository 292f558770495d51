/* The interface of device.h in static programs. */
#include "abi/kmpc/fortran/device.h"

#include "abi/kmpc/team/group.h"
#include "abi/kmpc/team/thread.h"
#include "abi/kmpc/team/worker_team.h"

#include <stdarg.h>
#include <string.h>

void solo_device_fork(kmpc_ident *loc, const solo_device_region *from) {
  (void)loc;
  kmpc_thread *self = solo_kmp_self();
  const kmpc_icvs *icvs = self->context.task->icvs;
  kmpc_region region = {.args = from->args, .arg_count = from->count};
  region.bind = solo_kmp_binding(icvs, from->bind);
  memcpy(&region.micro, &from->micro, sizeof region.micro);
  region.size = from->serial ? 1 : solo_kmp_region_size(self, from->threads);
  if (region.size > 1)
    solo_kmp_region_run(self, &region);
  else
    solo_kmp_region_serial(self, &region);
}

void solo_device_barrier(kmpc_ident *loc) {
  (void)loc;
  solo_kmp_barrier(solo_kmp_self());
}

solo_device_part solo_device_team(void) {
  const kmpc_league *league = solo_kmp_self()->context.team->league;
  if (!league) return (solo_device_part){0, 1};
  return (solo_device_part){(uint64_t)league->team, (uint64_t)league->teams};
}

solo_device_part solo_device_thread(void) {
  const kmpc_thread *self = solo_kmp_self();
  return (solo_device_part){(uint64_t)self->context.tid, (uint64_t)self->context.team->size};
}

const solo_target_call *solo_device_launch(void) {
  return solo_kmp_target_call(solo_kmp_self()->context.team);
}

int32_t solo_device_budget(void) {
  const kmpc_thread *self = solo_kmp_self();
  const kmpc_icvs *icvs = self->context.task->icvs;
  int32_t budget = solo_kmp_league_budget(solo_kmp_threads_available(self->context.team));
  return icvs->nthreads_count && icvs->nthreads[0] < budget ? icvs->nthreads[0] : budget;
}

int32_t solo_device_teams_wanted(void) {
  return solo_load_relaxed(&solo_kmp_config()->teams); /* relaxed: a setting */
}

int32_t solo_device_teams_limit(void) {
  return solo_load_relaxed(&solo_kmp_config()->teams_threads);
}

static void enter(int32_t *gtid, int32_t *tid, ...) {
  (void)gtid;
  va_list list;
  va_start(list, tid);
  const solo_target_call *call = va_arg(list, const solo_target_call *);
  va_end(list);
  call->enter(call);
}

int32_t solo_device_league(const solo_target_call *call, int32_t teams, int32_t thread_limit) {
  if (teams == 1 && thread_limit == 0) return 0;
  kmpc_thread *self = solo_kmp_self();
  void *argument = (void *)(uintptr_t)call;
  self->push_teams = teams;
  self->push_thread_limit = thread_limit;
  solo_kmp_league_run(self, enter, 1, &argument, 1);
  return 1;
}

void solo_device_no_memory(void) {
  solo_kmp_fatal("out of memory for a variable that threads share");
}

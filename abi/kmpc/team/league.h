/* The state of a thread that executes teams of a league. Ownership: the thread's stack. */
#ifndef SOLO_KMPC_LEAGUE_H
#define SOLO_KMPC_LEAGUE_H

#include "abi/kmpc/team/worker_team.h"

typedef void (*kmpc_combine)(void *, void *);

typedef struct kmpc_team_frame {
  kmpc_solo_frame solo;
  kmpc_league league;
  const kmpc_league_run *run;
  kmpc_micro micro;
  void **args;
  int32_t arg_count;
  kmpc_loop_range *own;
  uint64_t next, end; /* teams that the thread has removed from its range but not begun */
  /* Arguments of the reduction in which the thread's first team waits (league_reduce.c). `collect` is
   * NULL if no team waits. */
  kmpc_combine collect;
  void *data, *lock;
} kmpc_team_frame;

void solo_kmp_league_own_teams(kmpc_thread *self, kmpc_team_frame *frame);

/* Adds `data` of the current team to the data of the thread's waiting team; without one, the current
 * team waits while the thread runs its other teams. Returns 0 if the caller must add `data` to the
 * variable under the lock. */
int solo_kmp_league_reduce(kmpc_thread *self, void *data, kmpc_combine combine, void *lock);

#endif

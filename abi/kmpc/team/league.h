/* The state of a thread that executes teams of a league.
 *
 * Ownership: the executing thread's stack. Threads: only that thread. Errors: none. */
#ifndef SOLO_KMPC_LEAGUE_H
#define SOLO_KMPC_LEAGUE_H

#include "abi/kmpc/team/worker_team.h"

typedef void (*kmpc_combine)(void *, void *);

/* One context for all teams of the thread, which it executes in sequence. */
typedef struct kmpc_team_frame {
  kmpc_solo_frame solo;
  kmpc_league league;
  const kmpc_league_run *run;
  kmpc_micro micro; /* code of a team */
  void **args;
  int32_t arg_count;
  kmpc_loop_range *own; /* the thread's remaining teams */
  uint64_t next, end;   /* taken from `own`, not begun */
  /* A team that waits in its reduction for the thread's other teams (league_reduce.c); collect
   * NULL: none. */
  kmpc_combine collect;
  void *data, *lock;
} kmpc_team_frame;

/* Executes the remaining teams of the thread's own range. */
void solo_kmp_league_own_teams(kmpc_thread *self, kmpc_team_frame *frame);

/* Reduces across a league of several threads. Returns 1 if the data were added to those of a
 * waiting team; 0 if the caller must add them under the lock. */
int solo_kmp_league_reduce(kmpc_thread *self, void *data, kmpc_combine combine, void *lock);

#endif

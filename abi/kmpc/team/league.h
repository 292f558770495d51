/* How the threads of a league run its teams, one after the other, and what they keep meanwhile.
 *
 * Ownership: a frame is the running thread's, on its stack. Threads: a frame is its thread's. Errors: none.
 */
#ifndef SOLO_KMPC_LEAGUE_H
#define SOLO_KMPC_LEAGUE_H

#include "abi/kmpc/team/worker_team.h"

typedef void (*kmpc_combine)(void *, void *);

/* A thread's teams: one context for all of them, one after the other. */
typedef struct kmpc_team_frame {
  kmpc_solo_frame solo;
  kmpc_league league;
  const kmpc_league_run *run;
  kmpc_micro micro; /* a team's code */
  void **args;
  int32_t arg_count;
  kmpc_loop_range *own; /* the thread's teams that nobody has taken yet */
  uint64_t next, end;   /* taken and not begun */
  /* Of the team that waits in its reduction for the thread's other teams (league_reduce.c); collect NULL: none. */
  kmpc_combine collect;
  void *data, *lock;
} kmpc_team_frame;

/* Runs all of the thread's own teams that are left. */
void solo_kmp_league_own_teams(kmpc_thread *self, kmpc_team_frame *frame);

/* The current team, of a league on several threads, reduces across it. 1: its data have been added to those of a
 * team that waits; 0: the caller must add them, under the lock. */
int solo_kmp_league_reduce(kmpc_thread *self, void *data, kmpc_combine combine, void *lock);

#endif

/* Description: explores workers that help with tasks of a finished region or with teams of a league
 * (abi/kmpc/team/worker_team.h). Helpers finish before the next region is published, and each team
 * of a league runs. */
#include "abi/kmpc/team/fork.c"
#include "abi/kmpc/team/worker.c"
#include "tests/explore/explore.h"

#include <string.h>

enum { REGIONS = 2 };
_Thread_local kmpc_thread solo_kmp_thread_record;
static kmpc_worker_team team;
static kmpc_worker worker;
static kmpc_worker *workers[] = {&worker};
static kmpc_thread self_of_worker;
static uint64_t
    record; /* written when a region is published; threads that search for tasks read it */

static int patience; /* result of solo_kmp_spin(); 0: threads sleep immediately */
int solo_kmp_spin(kmpc_backoff *backoff) {
  (void)backoff;
  if (patience) solo_cpu_relax();
  return patience;
}
void solo_kmp_sleep_unless_over(kmpc_thread *self, kmpc_eventcount *event,
                                kmpc_eventcount *team_event, kmpc_is_over is_over, kmpc_help help,
                                void *what) {
  solo_kmp_sleep_unless(self, event, team_event, is_over, help, what);
}
void solo_kmp_await(kmpc_thread *self, kmpc_eventcount *event, kmpc_eventcount *team_event,
                    kmpc_is_over is_over, kmpc_help help, void *what) {
  (void)help;
  solo_kmp_wait_in_team(self, event, team_event, is_over, solo_kmp_no_help, what);
}
static int look_for_tasks(kmpc_thread *self, kmpc_search look) {
  (void)self, (void)look;
  (void)explore_read(&record);
  return 0;
}
static const kmpc_task_ops ops = {.run_one = look_for_tasks};
const kmpc_task_ops *_Atomic solo_kmp_task_ops = &ops;

static uint64_t fork_word(uint64_t sequence) {
  return sequence << 16 | 2;
}

/* The state after region 1, in which the worker took part. */
static void begin(void) {
  memset(&team, 0, sizeof team);
  memset(&worker, 0, sizeof worker);
  memset(&self_of_worker, 0, sizeof self_of_worker);
  record = 0;
  patience = 1;
  team.worker = workers;
  team.workers = 1;
  team.team.size = 2;
  team.team.worker_team = &team;
  self_of_worker.worker = &worker;
  self_of_worker.context.team = &team.team;
  worker.seen = fork_word(1);
  solo_store_relaxed(&team.team.task_team, (void *)&team);
  solo_store_relaxed(&team.work.fork, fork_word(1));
}

/* Begins further regions without the worker, which still helps with region 1. */
static void master(void) {
  for (uint64_t region = 1; region <= REGIONS; region++) {
    end_helping(&team, fork_word(region));
    explore_write(&record, region);
    /* as publish() in abi/kmpc/team does */
    solo_store_seq_cst(&team.work.fork, fork_word(region + 1));
  }
}

static void helper(void) {
  (void)worker_help(&self_of_worker, KMPC_SEARCH_QUICK);
}

enum { TEAMS = 3 };
static kmpc_loop_range ranges[2];
static uint64_t runs[TEAMS];

static void run_taken(int32_t tid) {
  uint64_t first, end;
  while (solo_kmp_range_reserve(&ranges[tid], 1, &first, &end)) {
    explore_check(explore_read(&record) == 0, "a team runs in the next region");
    explore_write(&runs[first], explore_read(&runs[first]) + 1);
  }
}

static void run_others(kmpc_thread *self, kmpc_work *work, int32_t tid, kmpc_turn turn) {
  (void)self, (void)work, (void)turn;
  (void)explore_read(&record);
  while (solo_kmp_ranges_steal(ranges, 2, tid)) run_taken(tid);
}

static void begin_league(void) {
  begin();
  patience = 0;
  memset(runs, 0, sizeof runs);
  worker.tid = 1;
  team.league.run = run_others;
  solo_store_relaxed(&ranges[0].span, (uint64_t)TEAMS << 32);
  solo_store_relaxed(&ranges[1].span, 0);
}

static void master_of_league(void) {
  run_taken(0);
  end_league(&solo_kmp_thread_record, &team, fork_word(1));
  explore_write(&record, 1);
  for (int i = 0; i < TEAMS; i++) explore_check(explore_read(&runs[i]) == 1, "a team did not run");
}

static void helper_of_league(void) {
  help_league(&self_of_worker, &team);
}

/* The worker still searches for tasks of region 1. `helped` is 1 as if another thread had helped
 * with the league. */
static void begin_late_league(void) {
  begin();
  patience = 0;
  solo_store_relaxed(&team.joined, 1);
  solo_store_relaxed(&team.helped, 1);
}

static void master_of_late_league(void) {
  end_league(&solo_kmp_thread_record, &team, fork_word(2));
}

int main(int count, char **arguments) {
  static const explore_scenario late = {"a late helper", begin, {master, helper}, NULL, 4, 8};
  static const char *const bugs[] = {"end_helping/store", "has_no_helpers", "worker_help/load",
                                     "worker_help/store", NULL};
  static const explore_scenario league = {
      "a league", begin_league, {master_of_league, helper_of_league}, NULL, 2, 3};
  static const char *const league_bugs[] = {"end_league/store",      "end_league/load",
                                            "help_league/load",      "help_league/store",
                                            "league_has_no_helpers", NULL};
  static const explore_scenario late_league = {"a late helper of the region before a league",
                                               begin_late_league,
                                               {master_of_late_league, helper},
                                               NULL,
                                               2,
                                               3};
  static const char *const none[] = {NULL};
  explore_bounds(count, arguments);
  return explore_all(&late, bugs) + explore_all(&league, league_bugs) +
         explore_all(&late_league, none);
}

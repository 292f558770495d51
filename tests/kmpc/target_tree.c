/* Description: checks which target regions and leagues use a tree, that newly bound threads get a
 * new tree, and that each team of a league runs once. The number of processors is simulated.
 * Threads: 4 */
#include "abi/kmpc/team/tree_sync.h"
#include "abi/kmpc/team/worker_team.h"
#include "runtime/backend.h"
#include "runtime/host_threads.h"
#include "tests/unit/test.h"

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

enum { LARGE = 16, MIDDLE = 8, SMALL = 4, TEAMS = 200, ROUNDS = 4 };

/* Replaces affinity/procs.c, so that the number of processors can be set. */
static _Atomic int32_t processors = 64;
int32_t solo_kmp_procs(void);
int32_t solo_kmp_procs(void) {
  return processors;
}

static void enter(solo_target_frame *frame) {
  static const solo_launch_record launch = {0};
  static const solo_target_call call = {.launch = &launch};
  solo_host_threads.enter_target(frame, 0, &call);
}

static void leave(solo_target_frame *frame) {
  solo_host_threads.leave_target(frame);
}

static int is_over_tree(void) {
  return solo_kmp_thread_record.context.team->worker_team->has_tree;
}

static int target_has_tree(int size) {
  solo_target_frame frame;
  int has = 0;
  enter(&frame);
#pragma omp parallel num_threads(size)
#pragma omp masked
  has = is_over_tree();
  leave(&frame);
  return has;
}

static int league_has_tree(int width) {
  int has = -1;
#pragma omp teams num_teams(width) thread_limit(1)
  if (omp_get_team_num() == 0)
    has = ((kmpc_frame *)(void *)((char *)solo_kmp_thread_record.context.task -
                                  offsetof(kmpc_frame, task)))
              ->saved.team->worker_team->has_tree;
  return has;
}

static void check_tree_selection(void) {
  int above =
      /* variants of the test with a tree in small teams set a lower limit */
      solo_kmp_config()->tree_above;
  if (above > SMALL) above = SMALL;
  CHECK_INT(target_has_tree(LARGE), 1);
  CHECK_INT(target_has_tree(MIDDLE), 1);
  CHECK_INT(league_has_tree(MIDDLE), 1);
  CHECK_INT(league_has_tree(LARGE), 1);
  CHECK_INT(target_has_tree(SMALL), SMALL > above);
  CHECK_INT(league_has_tree(SMALL), SMALL > above);
  processors = LARGE - 1; /* SOLO_HOST_THREADS=exact with more threads than processors */
  solo_kmp_config()->exact_threads = 1;
  CHECK_INT(target_has_tree(LARGE), 0);
  processors = 64;
  int inside = 0;
#pragma omp parallel num_threads(5)
  if (target_has_tree(LARGE)) {
#pragma omp atomic
    inside++;
  }
  CHECK_INT(inside, 0); /* 5 * 16 threads exceed 64 processors, so the inner regions have no tree */
#pragma omp parallel num_threads(2)
  if (target_has_tree(LARGE)) {
#pragma omp atomic
    inside++;
  }
  CHECK_INT(inside, 2);
  int in_team = 0;
#pragma omp teams num_teams(2) thread_limit(LARGE)
#pragma omp parallel num_threads(LARGE)
#pragma omp masked
  {
#pragma omp atomic
    in_team += is_over_tree();
  }
  CHECK_INT(in_team, 2);
  solo_kmp_config()->exact_threads = 0;
}

static int region_has_tree(int size) {
  int has = 0;
#pragma omp parallel num_threads(size)
#pragma omp masked
  has = is_over_tree();
  return has;
}

/* Executed on a new thread without a worker team, because a worker team decides once whether it has
 * a tree. */
static void *with_few_processors(void *out) {
  int *has = out;
  has[0] = region_has_tree(MIDDLE);
  has[1] = region_has_tree(MIDDLE + 1);
  return out;
}

static void check_tree_selection_with_few_processors(void) {
  pthread_t thread;
  int has[2] = {-1, -1};
  processors = SMALL;
  if (pthread_create(&thread, NULL, with_few_processors, has) == 0) pthread_join(thread, NULL);
  CHECK_INT(has[0], MIDDLE > solo_kmp_config()->tree_above);
  CHECK_INT(has[1], 1);
  processors = 64;
}

/* If the threads of a team are bound later, a tree that was built before must be replaced. */
static void bound_later(void) {
#pragma omp parallel num_threads(LARGE)
  __asm__ volatile(""); /* prevents the removal of the empty region */
  kmpc_tree *tree = &solo_kmp_thread_record.worker_team->tree;
  CHECK_INT(tree->size, LARGE);
  tree->leader[0] = NULL; /* a new tree overwrites this element */
#pragma omp parallel num_threads(LARGE)
  __asm__ volatile("");
  CHECK(!tree->leader[0]);
#pragma omp parallel num_threads(LARGE) proc_bind(close)
  __asm__ volatile("");
  CHECK(tree->leader[0] != NULL);
  tree->leader[0] = NULL;
#pragma omp parallel num_threads(LARGE) proc_bind(close)
  __asm__ volatile("");
  CHECK(!tree->leader[0]);
}

static int runs[TEAMS];

static void work(int team, int slow) {
  runs[team]++;
  if (slow) usleep(50);
}

static void league(int teams, int begin, int end) {
  solo_target_frame frame;
  memset(runs, 0, sizeof runs);
  enter(&frame);
#pragma omp teams num_teams(teams) thread_limit(1)
  {
    int team = omp_get_team_num();
    work(team, team >= begin && team < end);
  }
  leave(&frame);
  for (int i = 0; i < TEAMS; i++) CHECK_INT(runs[i], i < teams);
}

static void sum_over_league(int teams) {
  solo_target_frame frame;
  long sum = 0;
  enter(&frame);
#pragma omp teams distribute parallel for num_teams(teams) thread_limit(1) reduction(+ : sum)
  for (int i = 0; i < 3 * teams; i++) {
    if (i % 64 == 5) usleep(20);
    sum += i;
  }
  leave(&frame);
  CHECK_INT(sum, 3L * teams * (3 * teams - 1) / 2);
}

static void barriers(int size) {
  solo_target_frame frame;
  int at[64] = {0}, wrong = 0, sum = 0;
  enter(&frame);
#pragma omp parallel num_threads(size) reduction(+ : sum)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    sum += 1;
    for (int i = 1; i <= 3; i++) {
      at[me] = i;
#pragma omp barrier
      if (at[(me + 1) % all] != i) {
#pragma omp atomic
        wrong++;
      }
#pragma omp barrier
    }
  }
  leave(&frame);
  CHECK_INT(wrong, 0);
  CHECK_INT(sum, size);
}

static void tasks(int size) {
  solo_target_frame frame;
  int done = 0;
  enter(&frame);
#pragma omp parallel num_threads(size)
#pragma omp single nowait
  for (int i = 0; i < 20; i++) {
#pragma omp task
#pragma omp atomic
    done++;
  }
  leave(&frame);
  CHECK_INT(done, 20);
}

/* Chunks of a cancelled loop must not become teams of the next league. */
static void cancelled(int size) {
#pragma omp parallel num_threads(size)
#pragma omp for schedule(dynamic, 1)
  for (int i = 0; i < 100 * LARGE; i++) {
#pragma omp cancel for
  }
}

static void inner_regions(void) {
  int inner = 0;
#pragma omp teams num_teams(LARGE) thread_limit(2)
#pragma omp parallel num_threads(2)
#pragma omp atomic
  inner++;
  CHECK_INT(inner, 2 * LARGE);
}

int main(void) {
  solo_kmp_config()->cancellation = 1;
  check_tree_selection();
  check_tree_selection_with_few_processors();
  for (int i = 0; i < ROUNDS; i++) {
    league(TEAMS, 0, 0);
    league(LARGE, 3, 4);
    barriers(i % 2 ? LARGE : SMALL);
    cancelled(LARGE - i % 3);
    league(TEAMS, 20, 40); /* only two threads have work, which the other threads must steal */
    tasks(LARGE);
    league(TEAMS - 7, TEAMS - 10, TEAMS);
    sum_over_league(TEAMS);
    processors = i % 4 == 3 ? 8 : 64; /* with 8 processors the league has no tree */
    league(TEAMS, 0, 10);
    processors = 64;
    cancelled(SMALL);
    league(LARGE + 1, 0, 0);
    sum_over_league(LARGE - 1);
  }
  inner_regions();
  bound_later();
  return TEST_RESULT();
}

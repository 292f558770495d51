/* Description: checks that nested regions stay within the place partitions of their threads, for
 * all policies and sizes.
 * Env: OMP_PLACES={0},{1},{0,1},{0},{1},{0},{1},{0,1} OMP_PROC_BIND=true */
#include "tests/unit/test.h"
#include <omp.h>

enum { MOST = 16, PLACES = 64, INNER = 5, CPUS = 4096 };

static const omp_proc_bind_t policies[] = {omp_proc_bind_primary, omp_proc_bind_close,
                                           omp_proc_bind_spread};

typedef struct seat {
  int place, first, count;
} seat;

static int bad;

#define HOLDS(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fails(__LINE__, #condition);                                                 \
  } while (0)

static void fails(int line, const char *what) {
#pragma omp critical
  if (bad++ < 20)
    printf("line %d: failed: %s (thread %d of %d, level %d)\n", line, what, omp_get_thread_num(),
           omp_get_num_threads(), omp_get_level());
}

/* Not inlined: in a function with two calls of omp_get_partition_place_nums, Clang's OpenMPOpt
 * treats the argument as a source location (19 and 22). */
static __attribute__((noinline)) seat here(void) {
  int numbers[PLACES];
  seat s = {omp_get_place_num(), 0, omp_get_partition_num_places()};
  omp_get_partition_place_nums(numbers);
  s.first = numbers[0];
  for (int i = 0; i < s.count; i++) HOLDS(numbers[i] == s.first + i);
  return s;
}

static int same(seat a, seat b) {
  return a.place == b.place && a.first == b.first && a.count == b.count;
}

/* The affinity mask of the thread is its place. */
static void check_mask(int place) {
  int ids[CPUS], n = omp_get_place_num_procs(place), found = 0;
  kmp_affinity_mask_t mask;
  omp_get_place_proc_ids(place, ids);
  kmp_create_affinity_mask(&mask);
  HOLDS(kmp_get_affinity(&mask) == 0);
  for (int cpu = 0; cpu < 64; cpu++) found += kmp_get_affinity_mask_proc(cpu, &mask) == 1;
  HOLDS(found == n);
  for (int i = 0; i < n; i++) HOLDS(kmp_get_affinity_mask_proc(ids[i], &mask) == 1);
  kmp_destroy_affinity_mask(&mask);
}

static void check_team(const seat *team, int size, omp_proc_bind_t policy, seat parent) {
  int spans = 0;
  HOLDS(team[0].place == parent.place);
  for (int t = 0; t < size; t++) {
    seat s = team[t], before = team[t ? t - 1 : size - 1];
    int end = parent.first + parent.count;
    int next = before.place + 1 == end ? parent.first : before.place + 1;
    HOLDS(s.place >= s.first && s.place < s.first + s.count);
    HOLDS(s.first >= parent.first && s.first + s.count <= end);
    if (policy == omp_proc_bind_primary) HOLDS(s.place == parent.place);
    if (policy != omp_proc_bind_spread) HOLDS(s.first == parent.first && s.count == parent.count);
    if (policy == omp_proc_bind_close && t)
      HOLDS(size <= parent.count ? s.place == next : s.place == before.place || s.place == next);
    if (policy != omp_proc_bind_spread || size == 1) continue;
    spans += s.count;
    if (size > parent.count) {
      HOLDS(s.count == 1 && (!t || s.place == before.place || s.place == next));
    } else {
      int after = before.first + before.count;
      HOLDS(s.first == (after == end ? parent.first : after));
      HOLDS(!t || s.place == s.first);
      HOLDS(s.count == parent.count / size || s.count == parent.count / size + 1);
    }
  }
  if (policy == omp_proc_bind_spread && size > 1 && size <= parent.count)
    HOLDS(spans == parent.count);
}

static void member(seat *team, omp_proc_bind_t policy) {
  seat s = here();
  team[omp_get_thread_num()] = s;
  if (omp_get_num_threads() > 1) check_mask(s.place);
  (void)policy;
}

static void region(omp_proc_bind_t policy, int threads, seat *team,
                   void (*body)(seat *, omp_proc_bind_t)) {
  seat before = here();
  int size = 0;
  if (policy == omp_proc_bind_primary) {
#pragma omp parallel num_threads(threads) proc_bind(primary)
    {
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
      body(team, policy);
    }
  } else if (policy == omp_proc_bind_close) {
#pragma omp parallel num_threads(threads) proc_bind(close)
    {
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
      body(team, policy);
    }
  } else {
#pragma omp parallel num_threads(threads) proc_bind(spread)
    {
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
      body(team, policy);
    }
  }
  HOLDS(size == threads);
  /* the initial thread is unbound until its first region */
  if (before.place < 0) before.place = team[0].place;
  HOLDS(same(before, here()));
  if (size > 1) check_team(team, size, policy, before);
}

static void outer(seat *team, omp_proc_bind_t policy) {
  member(team, policy);
  seat mine = here(), inner[INNER];
  for (int p = 0; p < 3; p++) {
    region(policies[p], 1 + (omp_get_thread_num() + p) % INNER, inner, member);
    region(policies[p], 2, inner, member);
    HOLDS(same(mine, here()));
  }
}

/* Executes the same inner region again with another partition. The worker team must not reuse the
 * places of the first execution. */
static void outer_again(seat *team, omp_proc_bind_t policy) {
  seat inner[INNER];
  member(team, policy);
  region(omp_proc_bind_close, 3, inner, member);
}

/* With 8 places, a spread over 4 and over 5 threads yields partitions of equal size with different
 * first places. */
static void inner_again(seat *team, omp_proc_bind_t policy) {
  seat innermost[INNER];
  member(team, policy);
  if (omp_get_thread_num() == 0) region(omp_proc_bind_close, 3, innermost, member);
}

static void outer_split(seat *team, omp_proc_bind_t policy) {
  seat inner[INNER];
  member(team, policy);
  for (int threads = 3; threads <= INNER; threads++)
    region(omp_proc_bind_spread, threads, inner, inner_again);
}

/* Each level of spread halves the partition. */
static void halves(int level, seat parent) {
  if (level == 3) return;
#pragma omp parallel num_threads(2) proc_bind(spread)
  {
    seat s = here();
    HOLDS(s.count == parent.count / 2 || s.count == (parent.count + 1) / 2 || parent.count == 1);
    HOLDS(s.first >= parent.first && s.first + s.count <= parent.first + parent.count);
    halves(level + 1, s);
  }
}

int main(void) {
  static seat team[MOST];
  int places = omp_get_num_places(),
      most = omp_get_max_threads() < MOST ? 2 * omp_get_max_threads() : MOST;
  omp_set_max_active_levels(3);
  CHECK(places >= 1 && places <= 8);
  CHECK_INT(omp_get_partition_num_places(), places);
  for (int round = 0; round < 2; round++)
    for (int p = 0; p < 3; p++)
      for (int threads = 2; threads <= most; threads += 1 + threads / 4) {
        region(policies[p], threads, team, outer);
        region(policies[(p + 1) % 3], most + 2 - threads, team, member);
      }
  for (int p = 0; p < 3; p++)
    for (int threads = most; threads >= 2; threads--)
      region(policies[p], threads, team, outer_again);
  region(omp_proc_bind_close, 2, team, outer_split);
  halves(0, here());
  CHECK_INT(omp_get_partition_num_places(), places);
  CHECK_INT(bad, 0);
  return TEST_RESULT();
}

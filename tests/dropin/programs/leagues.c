/* Leagues with more teams than processors: each team must run exactly once. */
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };
static int wrong, hits[N];
static void check(const char *what, long is, long expected) {
  if (is == expected) return;
#pragma omp critical
  {
    printf("%s is %ld, expected %ld\n", what, is, expected);
    wrong = 1;
  }
}

/* A parallel region inside a team. */
static void check_nested_regions(int teams) {
  long sum = 0, parts = 0;
  int bad = 0;
#pragma omp target teams num_teams(teams) reduction(+ : sum, parts) map(tofrom : sum, parts, bad)
  {
    int own = 0, threads = 0;
    if (omp_get_num_teams() != teams || omp_get_level() != 0 || omp_in_parallel()) bad = 1;
#pragma omp parallel reduction(+ : own) num_threads(64) proc_bind(close)
    {
      int in = 0, size = omp_get_num_threads();
      own += 1;
      if (omp_get_level() != 1 || omp_get_thread_num() >= size || omp_get_team_size(1) != size)
        bad = 2;
      if (omp_get_ancestor_thread_num(0) != 0 || (size == 1 && omp_in_parallel())) bad = 3;
#pragma omp parallel reduction(+ : in) num_threads(1)
      in += omp_get_level() == 2;
      if (in != 1) bad = 4;
#pragma omp barrier
#pragma omp single
      threads = size;
#pragma omp for schedule(dynamic)
      for (int k = 0; k < 5; k++) own += 10;
#pragma omp task shared(own)
#pragma omp atomic
      own += 100;
#pragma omp taskwait
    }
    sum += own - threads * 101;
    parts += omp_get_team_num();
  }
  check("state inside a team", bad, 0);
  check("sum over the teams", sum, 50L * teams);
  check("sum of team numbers", parts, teams * (teams - 1L) / 2);
}

static void loops(void) {
  double sum = 0;
#pragma omp target teams distribute parallel for num_teams(50) reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < N; i++) sum += i;
  check("sum", (long)sum, N * (N - 1L) / 2);
#pragma omp target teams distribute num_teams(33) dist_schedule(static, 3) map(tofrom : hits)
  for (unsigned i = 0; i < N; i++) hits[i]++;
#pragma omp target teams distribute parallel for num_teams(2000) map(tofrom : hits)
  for (long i = N - 1; i >= 0; i--) hits[i]++;
#pragma omp target teams distribute num_teams(77) map(tofrom : hits)
  for (unsigned long i = 0; i < N; i += 2) hits[i]++;
  long off = 0;
  for (int i = 0; i < N; i++) off += hits[i] != 2 + (i + 1) % 2;
  check("iterations", off, 0);
}

typedef struct extremes {
  long least, most;
} extremes;
static void extend(extremes *out, const extremes *in) {
  if (in->least < out->least) out->least = in->least;
  if (in->most > out->most) out->most = in->most;
}
#pragma omp declare reduction(extend:extremes                                                      \
                              : extend(&omp_out, &omp_in)) initializer(omp_priv = {1 << 30, -1})

/* Reductions of several variables, an array and a user-defined type, and two reductions in one
 * team. The stack frame is large. */
static void reductions(int teams) {
  long sum = 0, counts[7] = {0}, product = 1, big = 0;
  extremes found = {1 << 30, -1};
#pragma omp target teams distribute parallel for num_teams(teams) reduction(+ : sum, counts)                  \
    reduction(extend : found) reduction(* : product) map(tofrom : sum, counts, found, product)
  for (int i = 0; i < N; i++) {
    extremes here = {i, i};
    sum += i;
    counts[i % 7]++;
    extend(&found, &here);
    if (i % 250 == 0) product *= 3;
  }
  check("reduced sum", sum, N * (N - 1L) / 2);
  for (int k = 0; k < 7; k++) check("reduced array", counts[k], N / 7 + (k < N % 7));
  check("reduced least", found.least, 0);
  check("reduced most", found.most, N - 1);
  check("reduced product", product, 81);
#pragma omp target teams num_teams(teams) reduction(+ : big) map(tofrom : big)
  {
    volatile char frame[100000];
    frame[omp_get_team_num()] = 1;
    big += frame[omp_get_team_num()] + omp_get_team_num();
  }
  check("reduced under a large frame", big, teams + teams * (teams - 1L) / 2);
}

/* P + 1 teams on P threads: two teams share one thread, and each of the two teams receives half of
 * a thread's iterations. */
static void shares(void) {
  int processors = omp_get_num_procs(), teams = processors + 1;
  int share[N] = {0}, of[N];
  if (processors < 2 || N / 8 < teams) return;
#pragma omp target teams distribute num_teams(teams) map(tofrom : share) map(from : of)
  for (int i = 0; i < N; i++) share[omp_get_team_num()]++, of[i] = omp_get_team_num();
  for (int i = 1; i < N; i++)
    if (of[i] != of[i - 1] && of[i] != of[i - 1] + 1)
      check("team of a block", of[i], of[i - 1] + 1);
  check("even distribution of iterations", labs(2 * share[0] - share[teams - 1]) <= 2 && share[1],
        1);
#pragma omp target teams distribute num_teams(teams) map(from : of)
  for (int i = 0; i < teams; i++) of[i] = omp_get_team_num();
  for (int i = 0; i < teams; i++) check("one iteration for each team", of[i], i);
}

static int size_of(int threads) {
  int size = 0;
#pragma omp target parallel num_threads(threads) map(tofrom : size)
#pragma omp masked
  size = omp_get_num_threads();
  return size;
}

/* Returns the number of threads that execute a league, counted by addresses of errno. */
static int width(int processors) {
  static int *place[N];
  int count = 0, come = 0;
#pragma omp target teams num_teams(N) map(from : place) map(tofrom : come)
  {
    int now;
    place[omp_get_team_num()] = &errno;
#pragma omp atomic update
    come++;
    do {
#pragma omp atomic read
      now = come;
    } while (now < processors);
  }
  for (int i = 0; i < N; i++) {
    int other = 0;
    while (place[other] != place[i]) other++;
    count += other == i;
  }
  return count;
}

/* The first team ends last. Other threads must run the remaining teams of its thread. */
static int stolen(int processors) {
  int done = 0, teams = 4 * processors;
#pragma omp target teams num_teams(teams) map(tofrom : done)
  {
    int now;
    if (omp_get_team_num() == 0) do {
#pragma omp atomic read
        now = done;
      } while (now < omp_get_num_teams() - 1);
#pragma omp atomic update
    done++;
  }
  return done == teams;
}

static int threads_now(void) {
  char line[256];
  int count = -1;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "Threads: %d", &count);
  if (status) fclose(status);
  return count;
}

/* Runs a league with as many teams as on a GPU. Returns the number of threads of the process
 * afterwards. */
static int many(void) {
  enum { MANY = 182 };
  int sum = 0;
#pragma omp target teams num_teams(MANY) reduction(+ : sum) map(tofrom : sum)
  {
    int own = 0;
#pragma omp parallel num_threads(MANY) reduction(+ : own)
    own += omp_get_thread_num() == 0;
    sum += own;
  }
  check("number of teams", sum, MANY);
  return threads_now();
}

int main(int argc, char **argv) {
  int processors = omp_get_num_procs();
  if (argc > 1 && strcmp(argv[1], "many") == 0) {
    int threads = many(), most = 4 * processors;
    if (threads < 1 || threads > most) printf("%d threads, limit %d\n", threads, most);
    if (threads >= 1 && threads <= most && !wrong) printf("few threads\n");
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "width") == 0) {
    printf("a league has %s\n", width(processors) == processors ? "all processors" : "fewer");
    return 0;
  }
  if (argc > 1) {
    printf("teams are %s\n", processors == 1 || stolen(processors) ? "stolen" : "not right");
    return 0;
  }
  check_nested_regions(37);
  check_nested_regions(1);
  check_nested_regions(2);
  loops();
  for (int teams = 1; teams < 300; teams = 2 * teams + 1) reductions(teams);
  shares();
#pragma omp parallel num_threads(2)
  check_nested_regions(9);
  check("teams outside", omp_get_num_teams(), 1);
  if (!wrong) printf("leagues correct, %s\n", size_of(12) == 12 ? "12 threads" : "fewer threads");
  return wrong;
}

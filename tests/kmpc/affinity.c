/* Description: checks affinity formats. */
#include "tests/unit/test.h"
#include <omp.h>
#include <unistd.h>

static int bad;

static void is(const char *format, const char *want) {
  char text[300];
  size_t n = omp_capture_affinity(text, sizeof text, format);
  if (strcmp(text, want) == 0 && n == strlen(want)) return;
#pragma omp critical
  {
    printf("failed: format '%s': '%s', expected '%s'\n", format, text, want);
    bad++;
  }
}

static void number(const char *format, int value) {
  char want[40];
  snprintf(want, sizeof want, "%d", value);
  is(format, want);
}

static int count_of(kmp_affinity_mask_t mask) {
  int count = 0;
  for (int cpu = 0; cpu < kmp_get_affinity_max_proc(); cpu++)
    count += kmp_get_affinity_mask_proc(cpu, &mask) == 1;
  return count;
}

/* Threads of a region without a policy are unbound, even if a previous region bound the primary
 * thread. */
static void check_unbound(void) {
  int procs[6] = {0};
  kmp_affinity_mask_t mask;
  kmp_create_affinity_mask(&mask);
  kmp_get_affinity(&mask);
  int all = count_of(mask), size = 0;
#pragma omp parallel num_threads(2) proc_bind(spread)
  is("%{num_threads}", "2");
#pragma omp parallel num_threads(6)
  {
    kmp_affinity_mask_t own;
    kmp_create_affinity_mask(&own);
    kmp_get_affinity(&own);
    procs[omp_get_thread_num()] = count_of(own);
    if (omp_get_thread_num() == 0) size = omp_get_num_threads();
    if (omp_get_thread_num() >= 2) number("%n", omp_get_thread_num());
    kmp_destroy_affinity_mask(&own);
  }
  for (int i = 2; i < size; i++) CHECK_INT(procs[i], all);
  kmp_destroy_affinity_mask(&mask);
}

int main(void) {
  char host[256] = "", text[300];
  check_unbound(); /* must run first, when no worker exists that was bound earlier */
  gethostname(host, sizeof host - 1);
  is("%H", host);
  is("%{host}", host);
  number("%P", getpid());
  number("%{process_id}", getpid());
  is("%t%T%L%n%N", "01001");
  is("%{team_num}%{num_teams}%{nesting_level}%{thread_num}%{num_threads}", "01001");
  is("%a", "-1");
  is("%0.7a|%.7a|%07a", "-000001|     -1|-1     ");
  is("%5n|%.5n|%0.5n", "0    |    0|00000");
  is("%5{thread_num}|%0.3{num_threads}", "0    |001");
  is("100%% of %n", "100% of 0");
  is("%{no_such}|%Z", "undefined|undefined");
  CHECK_INT(omp_capture_affinity(text, 4, "%0.9n"), 9);
  CHECK_TEXT(text, "000");
  CHECK_INT(omp_capture_affinity(NULL, 0, "%0.9n"), 9);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
  {
    int me = omp_get_thread_num();
    number("%n", me);
    number("%a", 0);
    number("%L", 1);
#pragma omp parallel num_threads(2)
    {
      number("%{ancestor_tnum}", me);
      number("%L", 2);
      number("%{num_threads}", omp_get_num_threads());
    }
  }
#pragma omp teams num_teams(3)
  {
    number("%t", omp_get_team_num());
    number("%{num_teams}", 3);
  }
  omp_capture_affinity(text, sizeof text, "%A");
  CHECK(strspn(text, "0123456789,-") == strlen(text) && *text);
  omp_capture_affinity(text, sizeof text, "%i");
  CHECK(atoi(text) == (int)getpid());
  CHECK_INT(bad, 0);
  return TEST_RESULT();
}

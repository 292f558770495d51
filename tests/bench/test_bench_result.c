/* Description: checks solo-bench's quantiles, ratios and noise. */
#include "bench/solo_bench.h"

#include "tests/unit/test.h"
#include <sys/wait.h>
#include <unistd.h>

static result r;

static int near(double a, double b) {
  return a - b < 1e-9 && b - a < 1e-9;
}

/* The run must end if there are too many metrics. */
static int ends_when_full(void) {
  static result full;
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    (void)freopen("/dev/null", "w", stderr);
    for (int i = 0; i <= METRICS_MAX; i++) {
      char name[NAME_MAX_BYTES];
      snprintf(name, sizeof name, "metric/%d", i);
      (void)metric_named(&full, name, "ns");
    }
    _exit(0);
  }
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 2;
}

int main(void) {
  CHECK(ends_when_full());
  double values[] = {5, 1, 4, 2, 3};
  CHECK(near(median_of(values, 5), 3));
  CHECK(near(quantile(values, 5, 0), 1) && near(quantile(values, 5, 1), 5));
  CHECK(near(quantile(values, 5, 0.25), 2) && near(quantile(values, 4, 0.5), 2.5));
  CHECK(near(quantile(values, 0, 0.5), 0));

  metric *m = metric_named(&r, "launch/empty", "ns");
  CHECK(m && metric_named(&r, "launch/empty", "ns") == m && r.count == 1);
  r.rounds = 5;
  for (int i = 0; i < 5; i++) { /* one slow round does not change the ratio */
    double slow = i == 3 ? 10 : 1;
    m->of[STATIC].round[i] = 2 * slow;
    m->of[PEER].round[i] = 100 * slow;
  }
  spread s = ratio_of(m, PEER, STATIC, r.rounds);
  CHECK(near(s.low, 50) && near(s.middle, 50) && near(s.high, 50));
  m->of[PEER].round[2] = 0; /* 0: the variant was not measured in this round */
  CHECK(near(ratio_of(m, PEER, STATIC, r.rounds).middle, 50));
  CHECK(near(ratio_of(m, PEER, LIMIT, r.rounds).middle, 0));

  for (int i = 0; i < 100; i++) add_value(&m->of[DROPIN], i);
  CHECK_INT(m->of[DROPIN].count, 100);
  CHECK(near(series_median(&m->of[DROPIN]), 49.5));

  for (int i = 0; i < 5; i++) r.noise[i] = 100 + i;
  judge_noise(&r);
  CHECK(!r.noisy && near(r.spread, 0.03));
  r.noise[0] = r.noise[1] = 150;
  judge_noise(&r);
  CHECK(r.noisy);
  return TEST_RESULT();
}

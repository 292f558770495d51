/* solo-bench: collects results and computes statistics. */
#include "bench/solo_bench.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double quantile(double *values, size_t count, double fraction) {
  if (count == 0) return 0;
  qsort(values, count, sizeof *values, compare);
  double at = fraction * (double)(count - 1);
  size_t low = (size_t)at;
  if (low + 1 >= count) return values[count - 1];
  return values[low] + (values[low + 1] - values[low]) * (at - (double)low);
}

double median_of(double *values, size_t count) {
  return quantile(values, count, 0.5);
}

metric *metric_named(result *r, const char *name, const char *unit) {
  for (size_t i = 0; i < r->count; i++)
    if (!strcmp(r->metrics[i].name, name)) return &r->metrics[i];
  if (r->count == METRICS_MAX) {
    fprintf(stderr, "solo-bench: more than %d metrics: raise METRICS_MAX (bench/solo_bench.h)\n",
            METRICS_MAX);
    exit(2);
  }
  metric *m = &r->metrics[r->count++];
  snprintf(m->name, sizeof m->name, "%s", name);
  snprintf(m->unit, sizeof m->unit, "%s", unit);
  return m;
}

bool is_distribution(const metric *m) {
  return !strcmp(m->unit, "quantiles");
}

void add_value(series *s, double value) {
  if (s->count == s->room) {
    size_t room = s->room ? 2 * s->room : 64;
    double *more = realloc(s->all, room * sizeof *more);
    if (!more) return; /* the statistics tolerate a missing value */
    s->all = more;
    s->room = room;
  }
  s->all[s->count++] = value;
}

double series_median(const series *s) {
  return s->count ? median_of(s->all, s->count) : 0;
}

static spread quartiles(double *values, size_t count) {
  spread s = {quantile(values, count, 0.25), quantile(values, count, 0.5),
              quantile(values, count, 0.75)};
  return s;
}

spread ratio_of(const metric *m, contestant over, contestant under, int rounds) {
  double ratios[ROUNDS_MAX];
  size_t count = 0;
  for (int i = 0; i < rounds; i++)
    if (m->of[over].round[i] > 0 && m->of[under].round[i] > 0)
      ratios[count++] = m->of[over].round[i] / m->of[under].round[i];
  return quartiles(ratios, count);
}

spread value_of(const metric *m, contestant c, int rounds) {
  double values[ROUNDS_MAX];
  size_t count = 0;
  for (int i = 0; i < rounds; i++)
    if (m->of[c].round[i] > 0) values[count++] = m->of[c].round[i];
  return quartiles(values, count);
}

/* The machine is too noisy if the fixed work took more than 10 % longer than its minimum in a
 * quarter of the rounds. */
void judge_noise(result *r) {
  double sorted[ROUNDS_MAX];
  memcpy(sorted, r->noise, sizeof sorted);
  double best = quantile(sorted, (size_t)r->rounds, 0),
         late = quantile(sorted, (size_t)r->rounds, 0.75);
  r->spread = best > 0 ? late / best - 1 : 0;
  r->noisy = r->spread > 0.1;
}

/* solo-bench: draws SVG charts with gnuplot. */
#define _POSIX_C_SOURCE 200809L
#include "bench/solo_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 860, ROW = 22, MARGIN = 110 };

static bool belongs(const metric *m, const char *prefix) {
  return !is_distribution(m) && !strncmp(m->name, prefix, strlen(prefix));
}

static double middle(const result *r, const metric *m, contestant c) {
  return value_of(m, c, r->rounds).middle;
}

static bool any_of(const result *r, const char *prefix, contestant c) {
  for (size_t i = 0; i < r->count; i++)
    if (belongs(&r->metrics[i], prefix) && middle(r, &r->metrics[i], c) > 0) return true;
  return false;
}

static void begin(FILE *g, int height) {
  fprintf(g,
          "reset\nset terminal svg size %d,%d background 'white' font 'sans,11'\n"
          "set key outside right\nset grid\n",
          WIDTH, height);
}

/* Called only if data exists, because gnuplot creates the file immediately. */
static void plot_to(FILE *g, const char *folder, const char *name) {
  fprintf(g, "set output '%s/%s.svg'\nplot ", folder, name);
}

/* Returns the size "1e5", "4Ki" or "32Mi" after the prefix; 0: none. */
static double size_in(const char *name, const char *prefix) {
  char *end;
  double size = strtod(name + strlen(prefix), &end);
  if (!strcmp(end, "Ki")) return size * 1024;
  if (!strcmp(end, "Mi")) return size * 1048576;
  return *end ? 0 : size;
}

static void rows(FILE *g, const result *r, const char *folder, const char *name,
                 const char *prefix) {
  int count = 0;
  for (size_t i = 0; i < r->count; i++) count += belongs(&r->metrics[i], prefix);
  if (count == 0) return;
  begin(g, MARGIN + ROW * count);
  fprintf(g, "set logscale x\nset format x '%%g'\nset yrange [%d.5:0.5]\nset ytics (", count);
  int row = 0;
  for (size_t i = 0; i < r->count; i++)
    if (belongs(&r->metrics[i], prefix))
      fprintf(g, "%s'%s, %s' %d", row ? "," : "", r->metrics[i].name + strlen(prefix),
              r->metrics[i].unit, row + 1),
          row++;
  fprintf(g, ") noenhanced\nset title '%s (left is better)'\n", name);
  for (int c = 0; c < CONTESTANTS; c++) {
    if (!any_of(r, prefix, (contestant)c)) continue;
    fprintf(g, "$d%d << END\n", c);
    row = 0;
    for (size_t i = 0; i < r->count; i++) {
      if (!belongs(&r->metrics[i], prefix)) continue;
      double v = middle(r, &r->metrics[i], (contestant)c);
      row++;
      if (v > 0) fprintf(g, "%.6g %d\n", v, row);
    }
    fprintf(g, "END\n");
  }
  plot_to(g, folder, name);
  for (int c = 0; c < CONTESTANTS; c++)
    if (any_of(r, prefix, (contestant)c))
      fprintf(g, "$d%d using 1:2 with points pt 7 ps 0.8 lt %d title '%s', ", c, c + 1,
              contestant_name[c]);
  fprintf(g, "\n");
}

/* A line chart of metrics with a prefix. */
typedef struct chart {
  const char *name, *prefix, *title, *axes;
  double (*value)(double ns);
} chart;

static double as_it_is(double ns) {
  return ns;
}
static double gigabytes_per_second(double ns_per_kib) {
  return 1024 / ns_per_kib;
}

static void curves(FILE *g, const result *r, const char *folder, const chart *c) {
  unsigned drawn = 0;
  begin(g, 420);
  fprintf(g, "set logscale x\nset title '%s'\n%s\n", c->title, c->axes);
  for (int who = 0; who < CONTESTANTS; who++) {
    int points = 0;
    fprintf(g, "$d%d << END\n", who);
    for (size_t i = 0; i < r->count; i++) {
      const metric *m = &r->metrics[i];
      double size = belongs(m, c->prefix) ? size_in(m->name, c->prefix) : 0;
      double v = middle(r, m, (contestant)who);
      if (size <= 64 * (strcmp(c->name, "bandwidth") == 0) || v <= 0) continue;
      fprintf(g, "%.6g %.6g\n", size, c->value(v));
      points++;
    }
    fprintf(g, "END\n");
    if (points > 1) drawn |= BIT(who);
  }
  if (!drawn) return;
  plot_to(g, folder, c->name);
  for (int who = 0; who < CONTESTANTS; who++)
    if (drawn & BIT(who))
      fprintf(g, "$d%d using 1:2 with linespoints pt 7 ps 0.6 lt %d title '%s', ", who, who + 1,
              contestant_name[who]);
  fprintf(g, "\n");
}

static void distribution(FILE *g, const result *r, const char *folder, const char *name) {
  const metric *m = NULL;
  for (size_t i = 0; i < r->count; i++)
    if (is_distribution(&r->metrics[i])) m = &r->metrics[i];
  if (!m) return;
  begin(g, 420);
  fprintf(g,
          "set logscale y\nset format y '%%g'\nset ylabel 'ns'\nset title '%s: quantiles of "
          "single operations'\nset xtics (",
          m->name);
  for (int q = 0; q < BENCH_QUANTILES; q++)
    fprintf(g, "%s'%g' %g", q ? "," : "", 100 * bench_fraction[q], -log10(1 - bench_fraction[q]));
  fprintf(g, ")\nset xlabel '%% of the operations'\n");
  for (int c = 0; c < CONTESTANTS; c++) {
    const series *s = &m->of[c];
    size_t runs = s->count / BENCH_QUANTILES;
    fprintf(g, "$d%d << END\n", c);
    for (int q = 0; runs > 0 && q < BENCH_QUANTILES; q++) {
      double of_runs[ROUNDS_MAX];
      size_t n = 0;
      for (size_t k = 0; k < runs && n < ROUNDS_MAX; k++)
        of_runs[n++] = s->all[k * BENCH_QUANTILES + (size_t)q];
      fprintf(g, "%.6g %.6g\n", -log10(1 - bench_fraction[q]), median_of(of_runs, n));
    }
    fprintf(g, "END\n");
  }
  plot_to(g, folder, name);
  for (int c = 0; c < CONTESTANTS; c++)
    if (m->of[c].count)
      fprintf(g, "$d%d using 1:2 with linespoints pt 7 ps 0.5 lt %d title '%s', ", c, c + 1,
              contestant_name[c]);
  fprintf(g, "\n");
}

int write_plots(const result *r, const char *folder) {
  if (system("gnuplot --version >/dev/null 2>&1") != 0) {
    printf("no plots: gnuplot is not installed (Debian: gnuplot-nox)\n");
    return 0;
  }
  FILE *g = popen("gnuplot", "w");
  if (!g) {
    perror("gnuplot");
    return 1;
  }
  static const chart charts[] = {
      {"mapping", "mapping/launch_", "a region with one of N present arrays, in random order",
       "set xlabel 'mappings'\nset ylabel 'ns'\nset logscale y", as_it_is},
      {"bandwidth", "transfer/", "omp\\_target\\_memcpy to the device",
       "set xlabel 'bytes'\nset ylabel 'GB/s'\nset yrange [0:*]", gigabytes_per_second},
  };
  rows(g, r, folder, "startup", "startup/");
  rows(g, r, folder, "launch", "launch/");
  rows(g, r, folder, "apps", "app/");
  for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++) curves(g, r, folder, &charts[i]);
  distribution(g, r, folder, "latency");
  return pclose(g) != 0;
}

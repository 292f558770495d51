/* solo-bench: prints the table and promises, writes JSON and Markdown. */
#define _POSIX_C_SOURCE 200809L
#include "bench/solo_bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void describe_machine(char *text, size_t bytes) {
  char model[128] = "unknown processor", line[256];
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "model name : %127[^\n]", model) == 1) break;
  if (f) fclose(f);
  double load = 0;
  f = fopen("/proc/loadavg", "r");
  if (f && fscanf(f, "%lf", &load) != 1) load = 0;
  if (f) fclose(f);
  time_t now = time(NULL);
  char date[32];
  strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
  snprintf(text, bytes, "%s, %ld cores, load %.1f, %s", model, sysconf(_SC_NPROCESSORS_ONLN), load,
           date);
}

static const char *show(char *to, size_t bytes, double value, const char *unit) {
  static const struct {
    double from;
    const char *as;
  } steps[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {0, "ns"}};
  if (value <= 0) {
    snprintf(to, bytes, "-");
  } else if (strcmp(unit, "ns") != 0) {
    snprintf(to, bytes, "%.4g %s", value, unit);
  } else {
    size_t i = 0;
    while (value < steps[i].from) i++;
    snprintf(to, bytes, "%.3g %s", steps[i].from > 0 ? value / steps[i].from : value, steps[i].as);
  }
  return to;
}

static const char *show_ratio(char *to, size_t bytes, spread s) {
  if (s.middle <= 0)
    snprintf(to, bytes, "-");
  else
    snprintf(to, bytes, "%.3g", s.middle);
  return to;
}

void print_table(const result *r) {
  printf("\n%-28s %10s %10s %10s %10s %10s %10s %10s  %8s %8s %8s\n", "", "static", "dropin",
         "peer 19", "peer 22", "host", "gomp", "limit", "peer/st.", "peer/dr.", "st./lim.");
  for (size_t i = 0; i < r->count; i++) {
    const metric *m = &r->metrics[i];
    if (is_distribution(m)) continue;
    static const contestant columns[] = {STATIC, DROPIN, PEER, PEER22, HOST, GOMP, LIMIT};
    printf("%-28s", m->name);
    char text[32];
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
      printf(" %10s", show(text, sizeof text, value_of(m, columns[c], r->rounds).middle, m->unit));
    printf("  %8s", show_ratio(text, sizeof text, ratio_of(m, PEER, STATIC, r->rounds)));
    printf(" %8s", show_ratio(text, sizeof text, ratio_of(m, PEER, DROPIN, r->rounds)));
    printf(" %8s\n", show_ratio(text, sizeof text, ratio_of(m, STATIC, LIMIT, r->rounds)));
  }
}

static const metric *find_metric(const result *r, const char *name) {
  for (size_t i = 0; i < r->count; i++)
    if (!strcmp(r->metrics[i].name, name)) return &r->metrics[i];
  return NULL;
}

static spread measured(const result *r, const metric *m, const bar *b) {
  switch (b->kind) {
  case TIMES_PEER:
    return ratio_of(m, PEER, b->solo, r->rounds);
  case TIMES_HOST:
    return ratio_of(m, HOST, b->solo, r->rounds);
  case TIMES_GOMP:
    return ratio_of(m, GOMP, b->solo, r->rounds);
  case OF_LIMIT:
    return ratio_of(m, b->solo, LIMIT, r->rounds);
  case AT_MOST:
  case AT_LEAST:
    return value_of(m, b->solo, r->rounds);
  case MORE_THAN_LIMIT:
    break;
  }
  spread own = value_of(m, b->solo, r->rounds), limit = value_of(m, LIMIT, r->rounds);
  spread more = {own.low - limit.high, own.middle - limit.middle, own.high - limit.low};
  if (own.middle <= 0 || limit.middle <= 0) more.middle = -1;
  return more;
}

static bool is_time(const bar *b) {
  return strcmp(b->metric, "startup/memory") != 0 && strncmp(b->metric, "scale/", 6) != 0 &&
         b->kind != MORE_THAN_LIMIT && b->kind != AT_MOST;
}

/* A limit of 1 ("not slower") tolerates the variation between two runs, except in issue 15. */
static double slack(const bar *b) {
  return b->value == 1 && b->issue != 15 ? 0.95 : 1;
}

static const char *verdict(const result *r, const bar *b, spread s) {
  bool upper = b->kind == OF_LIMIT || b->kind == MORE_THAN_LIMIT || b->kind == AT_MOST;
  if (s.middle <= 0 && b->kind != MORE_THAN_LIMIT) return "not measured";
  if (s.middle < 0) return "not measured";
  if (r->noisy && is_time(b)) return "no verdict (noise)";
  double value = b->value * slack(b);
  if (upper ? s.high <= value : s.low >= value) return "met";
  if (upper ? s.low > value : s.high < value) return "MISSED";
  return "no verdict (within the spread)";
}

static bool is_selected(const result *r, const char *name) {
  for (size_t i = 0; i < r->selected_count; i++)
    if (!strncmp(name, r->selected[i], strlen(r->selected[i]))) return true;
  return false;
}

void print_bars(FILE *to, const result *r) {
  static const char *const kinds[] = {
      [TIMES_PEER] = "x peer, at least",
      [TIMES_HOST] = "x libomp, at least",
      [TIMES_GOMP] = "x libgomp, at least",
      [OF_LIMIT] = "x limit, at most",
      [MORE_THAN_LIMIT] = "above limit, at most",
      [AT_LEAST] = "at least",
      [AT_MOST] = "at most",
  };
  fprintf(to, "\n%-6s %-24s %-22s %8s %10s %16s  %s\n", "issue", "metric", "promise", "",
          "measured", "quartiles", "");
  for (size_t i = 0; i < bar_count; i++) {
    const bar *b = &bars[i];
    if (!is_selected(r, b->metric) || (r->issue && r->issue != b->issue)) continue;
    const metric *m = find_metric(r, b->metric);
    spread s = {0, 0, 0};
    if (m) s = measured(r, m, b);
    char range[40] = "";
    if (m && s.middle > 0) snprintf(range, sizeof range, "[%.3g .. %.3g]", s.low, s.high);
    fprintf(to, "%-6d %-24s %-22s %8.4g %10.3g %16s  %s\n", b->issue, b->metric, kinds[b->kind],
            b->value, s.middle > 0 ? s.middle : 0, range, m ? verdict(r, b, s) : "not measured");
  }
  fprintf(
      to,
      "\nnoise: the fixed work took %.0f %% longer than its minimum in a quarter of the rounds%s\n",
      100 * r->spread, r->noisy ? " (above 10 %: no verdict on times)" : "");
}

int write_json(const result *r, const char *file) {
  FILE *f = fopen(file, "w");
  if (!f) {
    perror(file);
    return 1;
  }
  char machine[256];
  describe_machine(machine, sizeof machine);
  for (size_t i = 0; i < r->count; i++) {
    const metric *m = &r->metrics[i];
    if (is_distribution(m)) continue;
    contestant solo = m->of[STATIC].count ? STATIC : DROPIN;
    const series *s = &m->of[solo];
    fprintf(f,
            "{\"name\":\"%s\",\"unit\":\"%s\",\"n\":%zu,\"solo\":\"%s\",\"p50\":%.5g,\"p99\":%.5g",
            m->name, m->unit, s->count, contestant_name[solo], series_median(s),
            quantile(s->all, s->count, 0.99));
    spread own = value_of(m, solo, r->rounds);
    fprintf(f, ",\"low\":%.5g,\"high\":%.5g", own.low, own.high);
    for (int c = 0; c < CONTESTANTS; c++)
      if (m->of[c].count)
        fprintf(f, ",\"%s\":%.5g", contestant_name[c],
                value_of(m, (contestant)c, r->rounds).middle);
    fprintf(f, ",\"ratio_peer\":%.4g,\"ratio_limit\":%.4g,\"noise\":%.3g,\"machine\":\"%s\"}\n",
            ratio_of(m, PEER, solo, r->rounds).middle, ratio_of(m, solo, LIMIT, r->rounds).middle,
            r->spread, machine);
  }
  return fclose(f) != 0;
}

static void print_missed(FILE *to, const result *r, const char *of) {
  const char *last = "", *before = "\nmissed: ";
  for (size_t i = 0; i < bar_count; i++) {
    const bar *b = &bars[i];
    const metric *m = strncmp(b->metric, of, strlen(of)) ? NULL : find_metric(r, b->metric);
    if (!m || !strcmp(b->metric, last) || strcmp(verdict(r, b, measured(r, m, b)), "MISSED"))
      continue;
    fprintf(to, "%s%s", before, strchr(b->metric, '/') + 1);
    last = b->metric, before = ", ";
  }
  if (*last) fprintf(to, "\n");
}

int write_markdown(const result *r, const char *file) {
  FILE *f = fopen(file, "w");
  if (!f) {
    perror(file);
    return 1;
  }
  char machine[256], text[32];
  describe_machine(machine, sizeof machine);
  fprintf(f, "# Results\n\nWritten by `solo-bench --markdown`. %s. Noise %.0f %%%s.\n\n", machine,
          100 * r->spread, r->noisy ? " (too much for a verdict)" : "");
  fprintf(
      f,
      "Medians over %d interleaved rounds; ratios are taken within a round.\n\n"
      "| | static | drop-in | libomptarget 19 | 22 | libomp 19 | limit | peer / static | static / "
      "limit |\n"
      "|---|---|---|---|---|---|---|---|---|\n",
      r->rounds);
  for (size_t i = 0; i < r->count; i++) {
    const metric *m = &r->metrics[i];
    if (is_distribution(m)) continue;
    static const contestant columns[] = {STATIC, DROPIN, PEER, PEER22, HOST, LIMIT};
    fprintf(f, "| %s |", m->name);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
      fprintf(f, " %s |",
              show(text, sizeof text, value_of(m, columns[c], r->rounds).middle, m->unit));
    fprintf(f, " %s |", show_ratio(text, sizeof text, ratio_of(m, PEER, STATIC, r->rounds)));
    fprintf(f, " %s |\n", show_ratio(text, sizeof text, ratio_of(m, STATIC, LIMIT, r->rounds)));
  }
  fprintf(f, "\n## Charts\n\n");
  static const char *const charts[] = {"startup",   "launch",         "latency",
                                       "mapping",   "mapping_growth", "threads_growth",
                                       "bandwidth", "apps",           "mini"};
  for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
    fprintf(f, "![%s](results/%s.svg)\n", charts[i], charts[i]);
  print_missed(f, r, "mini/");
  fprintf(f, "\n## Promises\n\n```");
  print_bars(f, r);
  fprintf(f, "```\n");
  return fclose(f) != 0;
}

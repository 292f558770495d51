/* solo-bench --count: compares instructions per operation, which do not depend on the machine's
 * load, with bench/baseline.json. */
#include "bench/solo_bench.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *metric, *program;
  long ops;
} counted[] = {
    {"launch/empty", "q_launch", 2000},          {"launch/present_512", "q_launch", 2000},
    {"launch/unmapped_512", "q_launch", 2000},   {"launch/args_16", "q_launch", 2000},
    {"launch/args_64", "q_launch", 2000},        {"mapping/launch_1e1", "q_mapping", 2000},
    {"mapping/look_up_1e1", "q_mapping", 2000},  {"mapping/in_out_1e1", "q_mapping", 2000},
    {"transfer/update_4Ki", "q_transfer", 2000}, {"transfer/rect_128x128", "q_transfer", 200},
};

static const char baseline[] = "bench/baseline.json";

static double expected(const char *name) {
  FILE *f = fopen(baseline, "r");
  if (!f) return 0;
  char line[256], quoted[NAME_MAX_BYTES + 4];
  double value = 0;
  snprintf(quoted, sizeof quoted, "\"%s\":", name);
  while (fgets(line, sizeof line, f)) {
    const char *at = strstr(line, quoted);
    if (at) value = strtod(at + strlen(quoted), NULL);
  }
  fclose(f);
  return value;
}

/* The difference of two runs excludes start-up. With --ops, bench_cases() reads no clock, so the
 * count is reproducible. */
static double count(const char *metric, const char *program, long ops) {
  char path[256];
  snprintf(path, sizeof path, "build/bench/static/%s", program);
  double once = count_instructions(path, metric, ops);
  double twice = count_instructions(path, metric, 2 * ops);
  return once > 0 && twice > once ? (twice - once) / (double)ops : 0;
}

int count_and_compare(bool update) {
  double found[sizeof counted / sizeof counted[0]];
  int worse = 0;
  printf("%-26s %14s %14s\n", "instructions per operation", "now", "baseline");
  for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
    double before = update ? 0 : expected(counted[i].metric);
    found[i] = count(counted[i].metric, counted[i].program, counted[i].ops);
    bool bad = found[i] <= 0 || (before > 0 && found[i] > 1.05 * before);
    if (!update) worse += bad;
    printf("%-26s %14.1f %14.1f%s\n", counted[i].metric, found[i], before,
           found[i] <= 0 ? "  not counted (requires valgrind and build/bench/static)"
           : bad         ? "  MORE THAN 5 % ABOVE THE BASELINE"
                         : "");
    fflush(stdout);
  }
  if (!update) return worse > 0;
  FILE *f = fopen(baseline, "w");
  if (!f) {
    perror(baseline);
    return 1;
  }
  fprintf(f, "{\n");
  for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++)
    fprintf(f, "  \"%s\": %.1f%s\n", counted[i].metric, found[i],
            i + 1 < sizeof counted / sizeof counted[0] ? "," : "");
  fprintf(f, "}\n");
  return fclose(f) != 0;
}

/* solo-bench --against FILE: compares this run with an earlier one on the same machine. Two values
 * agree if their quartile ranges, widened by the measured noise, overlap. */
#include "bench/solo_bench.h"

#include <stdlib.h>
#include <string.h>

static double number_after(const char *line, const char *key) {
  const char *at = strstr(line, key);
  return at ? strtod(at + strlen(key), NULL) : 0;
}

static const metric *find_metric(const result *r, const char *line) {
  char quoted[NAME_MAX_BYTES + 16];
  for (size_t i = 0; i < r->count; i++) {
    snprintf(quoted, sizeof quoted, "\"name\":\"%s\"", r->metrics[i].name);
    if (strstr(line, quoted)) return &r->metrics[i];
  }
  return NULL;
}

int compare_with(const result *r, const char *file) {
  FILE *f = fopen(file, "r");
  if (!f) {
    perror(file);
    return 1;
  }
  char line[2048];
  int agree = 0, differ = 0;
  while (fgets(line, sizeof line, f)) {
    const metric *m = find_metric(r, line);
    double low = number_after(line, "\"low\":"), high = number_after(line, "\"high\":");
    if (!m || high <= 0) continue;
    double room = 1 + r->spread + number_after(line, "\"noise\":");
    spread now = value_of(m, m->of[STATIC].count ? STATIC : DROPIN, r->rounds);
    bool same = now.low <= high * room && low <= now.high * room;
    if (!same)
      printf("differs: %-28s now %.4g .. %.4g, before %.4g .. %.4g %s\n", m->name, now.low,
             now.high, low, high, m->unit);
    agree += same;
    differ += !same;
  }
  fclose(f);
  printf("against %s: %d agree, %d differ\n", file, agree, differ);
  return differ > 0;
}

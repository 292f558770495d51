/* histogram: each team counts in its own bins and adds them to the common bins, with barriers
 * and atomic operations. With --simt-checks, the virtual GPU reports data races with their source
 * lines.
 *   solo-cc --static -O2 histogram.c -o histogram && ./histogram [numbers]
 *   solo-cc --targets=simt-sm_90 -O2 histogram.c -o histogram && ./histogram 10000
 *   solo-cc --targets=simt-gfx90a --simt-checks -g -O2 histogram.c -o histogram && ./histogram 10000
 */
#include "report.h"

enum { BINS = 64, TEAMS = 8 };

static unsigned bin_of(size_t i) {
  unsigned x = (unsigned)i * 2654435761u;
  return (x >> 24 & x >> 16) % BINS;
}

static void count(size_t n, const unsigned char *number, unsigned long *bins) {
#pragma omp target teams distribute num_teams(TEAMS) thread_limit(128) map(to                      \
                                                                           : number [0:n])         \
    map(tofrom                                                                                     \
        : bins [0:BINS])
  for (int team = 0; team < TEAMS; team++) {
    unsigned mine[BINS];
#pragma omp parallel
    {
#pragma omp for
      for (int b = 0; b < BINS; b++) mine[b] = 0;
#pragma omp for
      for (size_t i = n * (size_t)team / TEAMS; i < n * ((size_t)team + 1) / TEAMS; i++) {
#pragma omp atomic
        mine[number[i]]++;
      }
#pragma omp for
      for (int b = 0; b < BINS; b++) {
#pragma omp atomic
        bins[b] += mine[b];
      }
    }
  }
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20;
  unsigned char *number = malloc(n);
  unsigned long bins[BINS] = {0}, expected[BINS] = {0};
  if (!n || !number) return fprintf(stderr, "histogram: no memory for %zu\n", n), EXIT_FAILURE;
  for (size_t i = 0; i < n; i++) expected[number[i] = (unsigned char)bin_of(i)]++;
  report_device("histogram");
  double begin = omp_get_wtime();
  count(n, number, bins);
  report_time("counted", omp_get_wtime() - begin);
  double error = 0;
  for (int b = 0; b < BINS; b++)
    if (bins[b] != expected[b])
      error += bins[b] > expected[b] ? bins[b] - expected[b] : expected[b] - bins[b];
  free(number);
  return report_answer(error, 0, "counts");
}

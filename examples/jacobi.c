/* jacobi: computes the steady temperature of a plate with one hot edge by Jacobi iteration. The
 * plate stays on the device; each sweep returns only the largest change.
 *   solo-cc --static -O2 jacobi.c -o jacobi && ./jacobi [size]
 */
#include "report.h"

#include <math.h>
#include <string.h>

#define AT(array, row, column) (array)[(size_t)(row)*n + (column)]

/* Returns the largest change. */
static double sweep(size_t n, const double *old, double *new) {
  double change = 0;
// clang-format off
#pragma omp target teams distribute parallel for collapse(2) reduction(max : change) \
    map(tofrom : change) map(present, to : old[0 : n * n], new[0 : n * n])
  // clang-format on
  for (size_t r = 1; r < n - 1; r++)
    for (size_t c = 1; c < n - 1; c++) {
      double t =
          0.25 * (AT(old, r - 1, c) + AT(old, r + 1, c) + AT(old, r, c - 1) + AT(old, r, c + 1));
      change = fmax(change, fabs(t - AT(old, r, c)));
      AT(new, r, c) = t;
    }
  return change;
}

static int solve(size_t n, double *a, double *b, double limit, int most) {
  int sweeps = 0;
// clang-format off
#pragma omp target data map(tofrom : a[0 : n * n]) map(to : b[0 : n * n])
  // clang-format on
  for (double change = INFINITY; change > limit && sweeps < most; sweeps += 2) {
    sweep(n, a, b);
    change = sweep(n, b, a);
  }
  return sweeps;
}

static void solve_on_host(size_t n, double *a, double *b, int sweeps) {
  for (int s = 0; s < sweeps; s++) {
    const double *old = s % 2 ? b : a;
    double *new = s % 2 ? a : b;
    for (size_t r = 1; r < n - 1; r++)
      for (size_t c = 1; c < n - 1; c++)
        AT(new, r, c) =
            0.25 * (AT(old, r - 1, c) + AT(old, r + 1, c) + AT(old, r, c - 1) + AT(old, r, c + 1));
  }
}

static void heat_edge(size_t n, double *plate) {
  memset(plate, 0, n * n * sizeof *plate);
  for (size_t c = 0; c < n; c++) AT(plate, 0, c) = 100.0;
}

int main(int argc, char **argv) {
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 66, bytes = n * n * sizeof(double);
  double *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), *d = malloc(bytes);
  if (n < 3 || !a || !b || !c || !d)
    return fprintf(stderr, "jacobi: no memory for a plate of %zu x %zu\n", n, n), EXIT_FAILURE;
  heat_edge(n, a);
  heat_edge(n, b);
  heat_edge(n, c);
  heat_edge(n, d);
  report_device("jacobi");

  double start = omp_get_wtime();
  int sweeps = solve(n, a, b, 1e-3, 20000);
  double seconds = omp_get_wtime() - start;
  printf("  %-28s %10d\n", "sweeps until convergence", sweeps);
  report_time("time per sweep", seconds / sweeps);

  solve_on_host(n, c, d, sweeps);
  double error = 0;
  for (size_t i = 0; i < n * n; i++) error = fmax(error, fabs(a[i] - c[i]));
  free(a);
  free(b);
  free(c);
  free(d);
  return report_answer(error, 1e-12, "degrees");
}

/* mapper: a user-defined mapper copies a sparse matrix, a struct with pointers, to the device.
 * Power iteration computes the matrix's largest eigenvalue.
 *   solo-cc --static -O2 mapper.c -o mapper -lm && ./mapper [rows]
 */
#include "report.h"

#include <math.h>

typedef struct matrix { /* compressed rows */
  int rows, nonzeros;
  int *start;
  int *column;
  double *value;
} matrix;

#pragma omp declare mapper(matrix m)                                                               \
    map(m, m.start [0:m.rows + 1], m.column [0:m.nonzeros], m.value [0:m.nonzeros])

static int make(matrix *m, int rows) {
  *m = (matrix){.rows = rows, .nonzeros = 3 * rows - 2};
  m->start = malloc((size_t)(rows + 1) * sizeof *m->start);
  m->column = malloc((size_t)m->nonzeros * sizeof *m->column);
  m->value = malloc((size_t)m->nonzeros * sizeof *m->value);
  if (!m->start || !m->column || !m->value) return 0;
  int k = 0;
  for (int r = 0; r < rows; r++) {
    m->start[r] = k;
    for (int c = r - 1; c <= r + 1; c++) {
      if (c < 0 || c >= rows) continue;
      m->column[k] = c;
      m->value[k++] = c == r ? 2.0 : -1.0;
    }
  }
  m->start[rows] = k;
  return 1;
}

/* Computes y = m x and returns the norm of y. For a const m, Clang would ignore the mapper. */
static double multiply(matrix m, const double *x, double *y) {
  double square = 0;
  int n = m.rows;
#pragma omp target teams distribute parallel for reduction(+ : square)                             \
    map(to : m, x[0 : n]) map(from : y[0 : n]) map(tofrom : square)
  for (int r = 0; r < n; r++) {
    double sum = 0;
    for (int k = m.start[r]; k < m.start[r + 1]; k++) sum += m.value[k] * x[m.column[k]];
    y[r] = sum;
    square += sum * sum;
  }
  return sqrt(square);
}

static void scale(int n, double by, const double *from, double *to) {
#pragma omp target teams distribute parallel for map(to : from [0:n]) map(from : to [0:n])
  for (int i = 0; i < n; i++) to[i] = by * from[i];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40, rounds = 3000;
  matrix m = {0};
  double *x = malloc((size_t)(n > 0 ? n : 1) * sizeof *x),
         *y = malloc((size_t)(n > 0 ? n : 1) * sizeof *y);
  if (n < 2 || !x || !y || !make(&m, n))
    return fprintf(stderr, "mapper: no matrix of %d rows\n", n), EXIT_FAILURE;
  for (int i = 0; i < n; i++) x[i] = i % 2 ? -1.0 : 1.0 + i * 1e-3;
  report_device("mapper");

  double eigenvalue = 0, start = omp_get_wtime();
#pragma omp target data map(to : m) map(tofrom : x [0:n]) map(alloc : y [0:n])
  for (int r = 0; r < rounds; r++) {
    eigenvalue = multiply(m, x, y); /* x is normalized */
    scale(n, 1.0 / eigenvalue, y, x);
  }
  report_time("time per multiplication", (omp_get_wtime() - start) / rounds);

  double exact = 2.0 - 2.0 * cos(n * acos(-1.0) / (n + 1));
  printf("  %-28s %10.6f\n", "largest eigenvalue", eigenvalue);
  double residual = 0;
  for (int r = 0; r < n; r++) {
    double sum = 0;
    for (int k = m.start[r]; k < m.start[r + 1]; k++) sum += m.value[k] * x[m.column[k]];
    residual = fmax(residual, fabs(sum - eigenvalue * x[r]));
  }
  free(m.start);
  free(m.column);
  free(m.value);
  free(x);
  free(y);
  return report_answer(fmax(fabs(eigenvalue - exact), residual), 1e-5, "absolute");
}

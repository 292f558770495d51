/* cluster: solves the heat equation on all devices: local, of device servers, of other nodes. Each
 * device owns a slab of rows; after each step, neighbours exchange edge rows. The result must equal
 * that of one device bit by bit.
 *   solo-cc -O2 cluster.c -o cluster && ./cluster [rows] [columns] [steps]
 *   SOLO_SERVER=@a,@b ./cluster       (two servers: docs/remote.md)
 */
#include "report.h"

#include <string.h>

typedef struct slab {
  int device;
  size_t first, rows; /* first row of the plate; rows without the two neighbour rows */
  double *now, *next;
} slab;

static double *at_row(double *rows, size_t columns, size_t row) {
  return rows + row * columns;
}

static void step(const slab *s, size_t columns) {
  size_t rows = s->rows;
  const double *now = s->now;
  double *next = s->next;
#pragma omp target teams distribute parallel for collapse(2) device(s->device) nowait              \
is_device_ptr(now, next) firstprivate(rows, columns)
  for (size_t r = 1; r <= rows; r++)
    for (size_t c = 1; c < columns - 1; c++) {
      const double *t = now + r * columns + c;
      next[r * columns + c] = *t + 0.2 * (t[-1] + t[1] + t[-(long)columns] + t[columns] - 4 * *t);
    }
}

static int send_row(const slab *to, size_t to_row, const slab *from, size_t from_row,
                    size_t columns) {
  return omp_target_memcpy_async(
      to->next, from->next, columns * sizeof(double), to_row * columns * sizeof(double),
      from_row * columns * sizeof(double), to->device, from->device, 0, NULL);
}

static int exchange(const slab *slabs, int count, size_t columns) {
  int failed = 0;
  for (int n = 1; n < count; n++) {
    const slab *above = &slabs[n - 1], *below = &slabs[n];
    failed |= send_row(below, 0, above, above->rows, columns);
    failed |= send_row(above, above->rows + 1, below, 1, columns);
  }
#pragma omp taskwait
  return failed;
}

/* Copies the plate to both arrays: steps write no edges. */
static int open_slab(slab *s, const double *plate, size_t columns) {
  size_t bytes = (s->rows + 2) * columns * sizeof(double);
  int host = omp_get_initial_device();
  s->now = omp_target_alloc(bytes, s->device);
  s->next = omp_target_alloc(bytes, s->device);
  if (!s->now || !s->next) return 1;
  const double *from = plate + (s->first - 1) * columns;
  return omp_target_memcpy(s->now, from, bytes, 0, 0, s->device, host) ||
         omp_target_memcpy(s->next, from, bytes, 0, 0, s->device, host);
}

static int close_slab(slab *s, double *plate, size_t columns) {
  int failed = omp_target_memcpy(at_row(plate, columns, s->first), at_row(s->now, columns, 1),
                                 s->rows * columns * sizeof(double), 0, 0, omp_get_initial_device(),
                                 s->device);
  omp_target_free(s->now, s->device);
  omp_target_free(s->next, s->device);
  return failed;
}

/* Returns nonzero on failure. */
static int solve(double *plate, size_t rows, size_t columns, int steps, int count) {
  slab *slabs = calloc((size_t)count, sizeof *slabs);
  size_t inner = rows - 2, first = 1;
  int failed = !slabs;
  for (int n = 0; n < count && !failed; n++) {
    slabs[n].device = n;
    slabs[n].first = first;
    slabs[n].rows = inner / (size_t)count + ((size_t)n < inner % (size_t)count);
    first += slabs[n].rows;
    failed = open_slab(&slabs[n], plate, columns);
  }
  for (int i = 0; i < steps && !failed; i++) {
    for (int n = 0; n < count; n++) step(&slabs[n], columns);
#pragma omp taskwait
    failed = exchange(slabs, count, columns);
    for (int n = 0; n < count; n++) {
      double *now = slabs[n].now;
      slabs[n].now = slabs[n].next;
      slabs[n].next = now;
    }
  }
  for (int n = 0; n < count && !failed; n++) failed = close_slab(&slabs[n], plate, columns);
  free(slabs);
  return failed;
}

static double *make_plate(size_t rows, size_t columns) {
  double *plate = calloc(rows * columns, sizeof *plate);
  for (size_t c = 0; plate && c < columns; c++) plate[c] = 100;
  for (size_t r = 0; plate && r < rows; r++) plate[r * columns] = (double)(r % 37);
  return plate;
}

int main(int argc, char **argv) {
  size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 514;
  size_t columns = argc > 2 ? strtoul(argv[2], NULL, 10) : 512;
  int steps = argc > 3 ? atoi(argv[3]) : 100, devices = omp_get_num_devices();
  double *one = make_plate(rows, columns), *all = make_plate(rows, columns), error = 0;
  if (!one || !all || columns < 3 || (size_t)devices + 2 > rows) return EXIT_FAILURE;
  report_device("cluster");
  if (!devices) return EXIT_SUCCESS;
  double start = omp_get_wtime();
  int failed = solve(one, rows, columns, steps, 1);
  double middle = omp_get_wtime();
  failed |= solve(all, rows, columns, steps, devices);
  report_time("one device", middle - start);
  printf("  %-28s %10d\n", "devices", devices);
  report_time("all devices", omp_get_wtime() - middle);
  for (size_t i = 0; i < rows * columns; i++) {
    double e = all[i] > one[i] ? all[i] - one[i] : one[i] - all[i];
    if (!(e <= error)) error = e; /* also if e is NaN */
  }
  free(one);
  free(all);
  if (failed) printf("  an allocation or a copy failed\n");
  return failed ? EXIT_FAILURE : report_answer(error, 0, "degrees");
}

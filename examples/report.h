/* Output of the examples. */
#ifndef EXAMPLES_REPORT_H
#define EXAMPLES_REPORT_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static inline void report_device(const char *program) {
  int on_host = 1, number = -1;
#pragma omp target map(from : on_host, number)
  {
    on_host = omp_is_initial_device();
    number = omp_get_device_num();
  }
  if (on_host)
    printf("%-10s on the host (no device was used)\n", program);
  else
    printf("%-10s on device %d of %d\n", program, number, omp_get_num_devices());
}

static inline void report_time(const char *what, double seconds) {
  if (seconds < 1e-3)
    printf("  %-28s %10.2f us\n", what, seconds * 1e6);
  else
    printf("  %-28s %10.2f ms\n", what, seconds * 1e3);
}

/* Returns the exit status of the program. */
static inline int report_answer(double error, double limit, const char *unit) {
  int right = error <= limit; /* false if error is NaN */
  printf("  %-28s %10.2g %s: %s\n", "largest error", error, unit, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif

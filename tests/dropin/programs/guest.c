/* A library with a target region. The region uses data that the program, host.c, has mapped. */
#include <omp.h>

typedef struct answers {
  int present, value, devices, device_inside;
} answers;

void use_data(int *data, int count, answers *out) {
  int value = -1, inside = -1;
  out->present = omp_target_is_present(data, omp_get_default_device()) != 0;
  out->devices = omp_get_num_devices();
#pragma omp target map(from : value, inside) map(tofrom : data [0:count])
  {
    data[7] += STEP;
    value = data[7];
    inside = omp_get_device_num();
  }
  out->value = value;
  out->device_inside = inside;
}

/* Description: a region on each device, and omp_target_memcpy from each device to the next, small
 * and large, in several threads. Argument: the expected number of devices. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 1 << 10, LARGE = 3 << 20, ROUNDS = 3 };

static int failures;

static void check(int right, const char *what, int device) {
  if (right) return;
#pragma omp atomic
  failures++;
  fprintf(stderr, "device %d: %s\n", device, what);
}

/* Copies a block from each device to the next device. A region on each device adds 1 to each
 * element. */
static void walk(int devices, int count, int start) {
  size_t bytes = (size_t)count * sizeof(int);
  int *host = malloc(bytes), home = omp_get_initial_device();
  for (int i = 0; i < count; i++) host[i] = i + start;
  int *here = omp_target_alloc(bytes, start % devices);
  check(here != NULL, "allocation failed", start % devices);
  check(!omp_target_memcpy(here, host, bytes, 0, 0, start % devices, home),
        "copy to the device failed", start);
  for (int step = 0; step < devices; step++) {
    int device = (start + step) % devices, next = (device + 1) % devices;
    int *p = here, is_host = 1;
#pragma omp target device(device) is_device_ptr(p) map(tofrom : is_host)
    {
      is_host = omp_is_initial_device();
      for (int i = 0; i < count; i++) p[i] += 1;
    }
    check(!is_host, "the region ran on the host", device);
    int *there = omp_target_alloc(bytes, next);
    check(!omp_target_memcpy(there, here, bytes, 0, 0, next, device),
          "copy to the next device failed", device);
    omp_target_free(here, device);
    here = there;
  }
  check(!omp_target_memcpy(host, here, bytes, 0, 0, home, start % devices),
        "copy to the host failed", start);
  omp_target_free(here, start % devices);
  for (int i = 0; i < count; i++)
    if (host[i] != i + start + devices) {
      fprintf(stderr, "%d ints, from device %d: [%d] is %d\n", count, start, i, host[i]);
#pragma omp atomic
      failures++;
      break;
    }
  free(host);
}

int main(int argc, char **argv) {
  int devices = omp_get_num_devices();
  if (argc < 2 || devices != atoi(argv[1])) {
    fprintf(stderr, "%d devices\n", devices);
    return 1;
  }
  for (int n = 0; n < ROUNDS; n++) {
    walk(devices, SMALL / 4, n);
    walk(devices, LARGE / 4 + n, n);
  }
#pragma omp parallel for num_threads(2)
  for (int n = 0; n < 2 * devices; n++) walk(devices, (n % 2 ? SMALL : LARGE) / 4, n);
  printf("%d devices, %d failures\n", devices, failures);
  return failures != 0;
}

/* Description: an array is copied to all devices by nowait constructs that modify the device's
 * copy, by host threads, and by synchronous constructs between which the program changes the array.
 * Argument: the expected number of devices. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 20, ROUNDS = 3, MOST_DEVICES = 64 };

static int array[COUNT];

static void fill(int value) {
  for (int i = 0; i < COUNT; i++) array[i] = i * 5 + value;
}

/* Checks the device's copy, then overwrites it. Returns the number of wrong elements. */
static long look(int device, int value) {
  long wrong = 0;
#pragma omp target device(device) map(to : array) map(tofrom : wrong)
  for (int i = 0; i < COUNT; i++) {
    wrong += array[i] != i * 5 + value;
    array[i] = -1;
  }
  return wrong;
}

static long at_once(int devices, int value) {
  long wrong[MOST_DEVICES] = {0}, sum = 0;
  fill(value);
#pragma omp parallel master
  for (int n = 0; n < devices; n++) {
    long *mine = &wrong[n];
#pragma omp target nowait device(n) map(to : array) map(tofrom : mine[:1])
    for (int i = 0; i < COUNT; i++) {
      mine[0] += array[i] != i * 5 + value;
      array[i] = -1;
    }
  }
  for (int n = 0; n < devices; n++) sum += wrong[n];
  return sum;
}

static long ahead(int devices, int value) {
  long sum = 0;
  fill(value);
#pragma omp parallel master
  for (int n = 0; n < devices; n++) {
#pragma omp target enter data nowait device(n) map(to : array)
  }
  fill(-1); /* a change on the host after the copies must not reach a device */
  for (int n = 0; n < devices; n++) sum += look(n, value);
  for (int n = 0; n < devices; n++) {
#pragma omp target exit data device(n) map(delete : array)
  }
  return sum;
}

static long by_threads(int devices, int value) {
  long sum = 0;
  fill(value);
#pragma omp parallel for num_threads(devices) schedule(static, 1) reduction(+ : sum)
  for (int n = 0; n < devices; n++) sum += look(n, value);
  return sum;
}

static long one_by_one(int devices, int value) {
  long sum = 0;
  for (int n = 0; n < devices; n++) {
    fill(value + n);
    sum += look(n, value + n);
  }
  return sum;
}

int main(int argc, char **argv) {
  int devices = omp_get_num_devices();
  long wrong = 0;
  if (argc < 2 || devices != atoi(argv[1]) || devices > MOST_DEVICES) {
    fprintf(stderr, "%d devices\n", devices);
    return 1;
  }
  for (int n = 0; n < ROUNDS; n++) {
    wrong += at_once(devices, 100 * n + 1);
    wrong += ahead(devices, 100 * n + 30);
    wrong += by_threads(devices, 100 * n + 50);
    wrong += one_by_one(devices, 100 * n + 70);
  }
  printf("%d devices, %ld wrong\n", devices, wrong);
  return wrong != 0;
}

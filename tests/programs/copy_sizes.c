/* Description: copies blocks of 1 to 1,100 bytes at varying offsets to, from and within the device.
 * No other byte may change. Blocks within the device may overlap. */
#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1100, ROOM = MOST + 128, SHIFTS = 70 };

static unsigned char in[ROOM], out[ROOM], wanted[ROOM];

static void fill(unsigned char *bytes, unsigned seed) {
  for (int i = 0; i < ROOM; i++)
    bytes[i] = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
}

/* Copies in + from to device + to, then to out + back. */
static int round_trip(void *device, int here, size_t n, size_t from, size_t to, size_t back) {
  int there = omp_get_default_device();
  fill(in, (unsigned)(n + 1));
  fill(out, (unsigned)(n + 2));
  memcpy(wanted, out, ROOM);
  memcpy(wanted + back, in + from, n);
  return omp_target_memcpy(device, in, n, to, from, there, here) == 0 &&
         omp_target_memcpy(out, device, n, back, to, here, there) == 0 &&
         memcmp(out, wanted, ROOM) == 0;
}

/* Copies within the device and compares with memmove. */
static int within(void *device, int here, size_t n, size_t from, size_t to) {
  int there = omp_get_default_device();
  fill(in, (unsigned)(n + 3));
  memcpy(wanted, in, ROOM);
  memmove(wanted + to, in + from, n);
  return omp_target_memcpy(device, in, ROOM, 0, 0, there, here) == 0 &&
         omp_target_memcpy(device, device, n, to, from, there, there) == 0 &&
         omp_target_memcpy(out, device, ROOM, 0, 0, here, there) == 0 &&
         memcmp(out, wanted, ROOM) == 0;
}

int main(void) {
  int here = omp_get_initial_device(), wrong = 0;
  void *device = omp_target_alloc(ROOM, omp_get_default_device());
  CHECK(device != NULL);
  for (size_t n = 1; n <= MOST; n++)
    if (!round_trip(device, here, n, n % 17, n % 13, n % 7) && wrong++ < 5)
      printf("copies of %zu bytes are wrong\n", n);
  for (size_t n = 1; n <= MOST - SHIFTS; n += n < 100 ? 1 : 37)
    for (size_t shift = 0; shift <= SHIFTS; shift += 1 + shift / 8)
      if ((!within(device, here, n, 3, 3 + shift) || !within(device, here, n, 3 + shift, 3)) &&
          wrong++ < 5)
        printf("copies of %zu bytes by %zu within the device are wrong\n", n, shift);
  CHECK(wrong == 0);
  omp_target_free(device, omp_get_default_device());
  return result();
}

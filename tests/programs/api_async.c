/* Description: checks that omp_target_*_async functions run after their depend objects' tasks and
 * before later steps. Also checks device UIDs. */
#include "check.h"
#include <omp.h>
#include <string.h>
#include <unistd.h>

enum { N = 64 };
static int from[N], back[N];

/* Generates a task that writes the array after a delay. */
static void write_late(int value) {
#pragma omp task depend(out : from) shared(from)
  {
    usleep(20000);
    for (int i = 0; i < N; i++) from[i] = value + i;
  }
}

static void copies(int d, int h) {
  omp_depend_t object, another;
  int *dev = omp_target_alloc(sizeof from, d), other = 0, wrong = 0;
#pragma omp depobj(object) depend(inout : from)
#pragma omp depobj(another) depend(in : other)
  void *objects[] = {object, another, NULL};
  write_late(100);
  CHECK_INT(omp_target_memcpy_async(dev, from, sizeof from, 0, 0, d, h, 2, (omp_depend_t *)objects),
            0);
#pragma omp target is_device_ptr(dev)
  dev[3] += 1000;
#pragma omp task depend(out : from) shared(from)
  memset(from, 0, sizeof from); /* must run after the copy */
  CHECK_INT(omp_target_memcpy_async(back, dev, sizeof back, 0, 0, h, d, 1, (omp_depend_t *)objects),
            0);
#pragma omp taskwait
  for (int i = 0; i < N; i++) wrong += back[i] != 100 + i + 1000 * (i == 3) || from[i] != 0;
  CHECK_INT(wrong, 0);

  size_t volume[2] = {2, 8}, to[2] = {1, 3}, at[2] = {0, 0}, rows[2] = {4, 16};
  memset(back, 0, sizeof back);
  write_late(500);
  CHECK_INT(omp_target_memcpy_rect_async(dev, from, sizeof(int), 2, volume, to, at, rows, rows, d,
                                         h, 1, (omp_depend_t *)objects),
            0);
  CHECK_INT(omp_target_memcpy_async(back, dev, sizeof back, 0, 0, h, d, 0, NULL), 0);
#pragma omp taskwait
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 8; j++) wrong += back[(1 + i) * 16 + 3 + j] != 500 + i * 16 + j;
  CHECK_INT(wrong, 0);

  write_late(7);
  CHECK_INT(omp_target_memset_async(dev, 1, 8 * sizeof(int), d, 1, (omp_depend_t *)objects) == dev,
            1);
  CHECK_INT(from[5], 12); /* the call waited for the task of its depend object */
#pragma omp taskwait
  CHECK_INT(omp_target_memcpy(back, dev, sizeof back, 0, 0, h, d), 0);
  CHECK_INT(back[7], 0x01010101);
  CHECK_INT(omp_target_memcpy_async(NULL, dev, 4, 0, 0, h, d, 1, (omp_depend_t *)objects) != 0, 1);
#pragma omp depobj(object) destroy
#pragma omp depobj(another) destroy
  omp_target_free(dev, d);
}

/* Older headers do not declare these functions. */
extern const char *omp_get_uid_from_device(int number);
extern int omp_get_device_from_uid(const char *uid);
#pragma weak omp_get_uid_from_device /* not in the library of tests/dropin */
#pragma weak omp_get_device_from_uid

static void names(int d, int h) {
  if (!omp_get_uid_from_device || !omp_get_device_from_uid) return;
  const char *name = omp_get_uid_from_device(d), *host = omp_get_uid_from_device(h);
  CHECK_INT(name && *name && host && strcmp(name, host) != 0, 1);
  CHECK_INT(omp_get_device_from_uid(name), d);
  CHECK_INT(omp_get_device_from_uid(host), h);
  CHECK_INT(omp_get_device_from_uid("no such device"), -2);
  CHECK_INT(omp_get_device_from_uid(NULL), -2);
  CHECK_INT(omp_get_uid_from_device(h + 1) == NULL, 1);
}

int main(void) {
  int d = omp_get_default_device(), h = omp_get_initial_device();
  names(d, h);
#pragma omp parallel num_threads(2)
#pragma omp single
  copies(d, h);
  return result();
}

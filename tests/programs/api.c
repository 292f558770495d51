/* Description: checks the omp_* device functions: allocation, copies, rectangles, memset,
 * association, numbers. */
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static void rectangles(int d, int h) {
  enum { R = 6, C = 8 };
  int host[R][C], back[R][C];
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++) host[i][j] = 10 * i + j, back[i][j] = -1;
  int *dev = omp_target_alloc(sizeof host, d);
  omp_target_memset(dev, 0, sizeof host, d);
  size_t volume[2] = {3, 4}, to[2] = {1, 2}, from[2] = {2, 3}, dims[2] = {R, C};
  CHECK_INT(omp_target_memcpy_rect(dev, host, sizeof(int), 2, volume, to, from, dims, dims, d, h),
            0);
  CHECK_INT(omp_target_memcpy(back, dev, sizeof back, 0, 0, h, d), 0);
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++) {
      int in = i >= 1 && i < 4 && j >= 2 && j < 6;
      CHECK_INT(back[i][j], in ? host[i + 1][j + 1] : 0);
    }
  CHECK_INT(omp_target_memcpy_rect(NULL, NULL, 4, 2, volume, to, from, dims, dims, d, h), 16);
  /* The size of the first dimension is not used, because callers often pass a wrong value. */
  size_t few[2] = {2, C};
  CHECK_INT(omp_target_memcpy_rect(dev, host, 4, 2, volume, to, from, few, few, d, h), 0);
  /* the offset in a row exceeds the row, so the rectangle continues in the next row */
  size_t shifted[2] = {1, 6};
  omp_target_memset(dev, 0, sizeof host, d);
  CHECK_INT(omp_target_memcpy_rect(dev, host, 4, 2, volume, shifted, from, dims, dims, d, h), 0);
  CHECK_INT(omp_target_memcpy(back, dev, sizeof back, 0, 0, h, d), 0);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) CHECK_INT((&back[0][0])[(i + 1) * C + 6 + j], host[i + 2][j + 3]);
  size_t wide[2] = {1, C + 1};
  CHECK_INT(omp_target_memcpy_rect(dev, host, 4, 2, wide, to, from, dims, dims, d, h) != 0, 1);
  omp_target_free(dev, d);
}

/* omp_initial_device of OpenMP 5.2 */
enum { INITIAL = -1 };
static void initial_device(int d) {
  int x = 5, y = 0, on_host = 0, *p = omp_target_alloc(sizeof x, INITIAL);
  CHECK_INT(omp_target_is_present(&x, INITIAL), 1);
  CHECK_INT(omp_get_mapped_ptr(&x, INITIAL) == &x, 1);
  CHECK_INT(omp_target_memcpy(p, &x, sizeof x, 0, 0, INITIAL, INITIAL), 0);
  CHECK_INT(*p, 5);
  CHECK_INT(omp_target_memcpy(&y, p, sizeof x, 0, 0, INITIAL, omp_get_initial_device()), 0);
  CHECK_INT(y, 5);
  omp_target_free(p, INITIAL);
  omp_set_default_device(INITIAL);
#pragma omp target map(tofrom : on_host)
  on_host = omp_is_initial_device();
  CHECK_INT(on_host, 1);
  omp_set_default_device(d);
}

int main(void) {
  int d = omp_get_default_device(), h = omp_get_initial_device();
  initial_device(d);
  CHECK_INT(omp_get_num_devices() >= 1, 1);
  CHECK_INT(h, omp_get_num_devices());
  CHECK_INT(omp_get_device_num(), h);
  CHECK_INT(omp_is_initial_device(), 1);
  int inside = -1, initial = -1;
#pragma omp target map(from : inside, initial)
  {
    inside = omp_get_device_num();
    initial = omp_is_initial_device();
  }
  CHECK_INT(inside, d);
  CHECK_INT(initial, 0);

  char text[64] = "solo", copy[64] = "";
  char *dev = omp_target_alloc(64, d);
  CHECK_INT(dev != NULL, 1);
  CHECK_INT(omp_target_memcpy(dev, text, 5, 10, 0, d, h), 0);
  CHECK_INT(omp_target_memcpy(copy, dev, 5, 0, 10, h, d), 0);
  CHECK_INT(strcmp(copy, "solo"), 0);
  CHECK_INT(omp_target_memcpy(copy, NULL, 5, 0, 0, h, d) != 0, 1);
  CHECK_INT(omp_target_memcpy(copy, dev, 0, 0, 0, h, d), 0);
  CHECK_INT(omp_target_memset(dev, 'x', 8, d) == dev, 1);
  CHECK_INT(omp_target_memcpy(copy, dev, 8, 0, 0, h, d), 0);
  CHECK_INT(copy[7], 'x');
  CHECK_INT(omp_target_alloc(0, d) == NULL, 1);

  int mine[4] = {1, 2, 3, 4};
  CHECK_INT(omp_target_is_present(mine, d), 0);
  CHECK_INT(omp_target_associate_ptr(mine, dev, sizeof mine, 16, d), 0);
  CHECK_INT(omp_target_associate_ptr(mine, dev, sizeof mine, 16, d), 0);
  CHECK_INT(omp_target_associate_ptr(mine, dev, sizeof mine, 0, d) != 0, 1);
  CHECK_INT(omp_target_is_present(mine, d), 1);
  CHECK_INT(omp_get_mapped_ptr(&mine[1], d) == dev + 20, 1);
#pragma omp target update to(mine)
#pragma omp target map(tofrom : mine)
  mine[2] *= 10;
  CHECK_INT(mine[2], 3);
#pragma omp target update from(mine)
  CHECK_INT(mine[2], 30);
#pragma omp target exit data map(delete : mine) /* delete does not remove an association */
  CHECK_INT(omp_target_is_present(mine, d), 1);
  CHECK_INT(omp_target_disassociate_ptr(mine, d), 0);
  CHECK_INT(omp_target_is_present(mine, d), 0);
  CHECK_INT(omp_target_disassociate_ptr(mine, d) != 0, 1);
  omp_target_free(dev, d);

  CHECK_INT(omp_target_is_present(mine, h), 1);
  CHECK_INT(omp_get_mapped_ptr(mine, h) == mine, 1);
  CHECK_INT(omp_target_associate_ptr(mine, copy, sizeof mine, 0, h) != 0, 1);
  CHECK_INT(omp_get_mapped_ptr(mine, h) == mine, 1);
  CHECK_INT(omp_target_disassociate_ptr(mine, h) != 0, 1);
  CHECK_INT(omp_get_mapped_ptr(mine, d) == NULL, 1);
  CHECK_INT(omp_target_is_present(NULL, d), 0);
  void *on_host = omp_target_alloc(16, h);
  CHECK_INT(on_host != NULL, 1);
  memset(on_host, 1, 16);
  omp_target_free(on_host, h);
  rectangles(d, h);
  return result();
}

/* Updates of sections with steps and offsets in outer subscripts. With -g, when names contain the
 * steps, all updates are correct. */
#include <stdio.h>
#include <string.h>

enum { X = 8, Y = 12, Z = 16 };
static int a[X][Y][Z];
static int wrong;

static int is_in(int i, int begin, int count, int step) {
  return i >= begin && i < begin + count * step && (i - begin) % step == 0;
}

/* x, y, z: first index, count and step of each subscript */
static void compare(const int x[3], const int y[3], const int z[3], const char *what) {
  int bad = 0;
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++)
        bad += a[i][j][k] != (is_in(i, x[0], x[1], x[2]) && is_in(j, y[0], y[1], y[2]) &&
                              is_in(k, z[0], z[1], z[2]));
  if (bad) printf("%s: %d elements\n", what, bad);
  wrong += bad != 0;
}

static void begin(void) {
  memset(a, 0, sizeof a);
#pragma omp target map(present, alloc : a)
  for (int i = 0; i < X; i++)
    for (int j = 0; j < Y; j++)
      for (int k = 0; k < Z; k++) a[i][j][k] = 1;
}

int main(int argc, char **argv) {
  int k = argc > 1 && argv[1][0] == 'k' ? 2 : 1;
#pragma omp target enter data map(alloc : a)
  begin();
#pragma omp target update from(a [1:3:2] [2:3:3] [0:4:2])
  compare((int[]){1, 3, 2}, (int[]){2, 3, 3}, (int[]){0, 4, 2}, "[1:3:2][2:3:3][0:4:2]");
  begin();
#pragma omp target update from(a [2:2:3] [1:4] [3:5])
  compare((int[]){2, 2, 3}, (int[]){1, 4, 1}, (int[]){3, 5, 1}, "[2:2:3][1:4][3:5]");
  begin();
#pragma omp target update from(a [1:3] [2:3] [0:4])
  compare((int[]){1, 3, 1}, (int[]){2, 3, 1}, (int[]){0, 4, 1}, "[1:3][2:3][0:4]");
  begin();
#pragma omp target update from(a [1:3] [0:Y] [4:4])
  compare((int[]){1, 3, 1}, (int[]){0, Y, 1}, (int[]){4, 4, 1}, "[1:3][0:Y][4:4]");
  if (argc > 1) {
    begin();
#pragma omp target update from(a [1:3:k] [2:3] [0:4])
    compare((int[]){1, 3, k}, (int[]){2, 3, 1}, (int[]){0, 4, 1}, "[1:3:k][2:3][0:4]");
  }
#pragma omp target exit data map(release : a)
  printf("%d wrong\n", wrong);
  return wrong;
}

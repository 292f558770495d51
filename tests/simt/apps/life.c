/* Game of life on bytes, two generations per region. */
#include "app.h"

enum { N = 20 };

static void generation(unsigned char *to, const unsigned char *from, int on_device) {
#pragma omp target teams distribute parallel for collapse(2) if (target                            \
                                                                 : on_device)                      \
    map(to                                                                                         \
        : from [0:N * N]) map(from                                                                 \
                              : to [0:N * N])
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) {
      int near = 0;
      for (int d = 0; d < 9; d++)
        if (d != 4) near += from[(y + d / 3 + N - 1) % N * N + (x + d % 3 + N - 1) % N];
      to[y * N + x] = near == 3 || (near == 2 && from[y * N + x]);
    }
}

APP(life) {
  static unsigned char on[2][N * N], off[2][N * N];
  unsigned state = 9;
  for (int i = 0; i < N * N; i++) on[0][i] = off[0][i] = app_next(&state) & 1;
  for (int g = 0; g < 6; g++) {
    generation(on[(g + 1) % 2], on[g % 2], 1);
    generation(off[(g + 1) % 2], off[g % 2], 0);
  }
  return memcmp(on[0], off[0], sizeof on[0]) != 0;
}

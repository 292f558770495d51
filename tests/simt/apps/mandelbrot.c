/* Iterations of very different cost, dynamic schedule. */
#include "app.h"

enum { W = 24, H = 16, MOST = 100 };

#pragma omp begin declare target
static int escape(double cr, double ci) {
  double r = 0, i = 0;
  int n = 0;
  for (; n < MOST && r * r + i * i < 4; n++) {
    double t = r * r - i * i + cr;
    i = 2 * r * i + ci, r = t;
  }
  return n;
}
#pragma omp end declare target

APP(mandelbrot) {
  static int image[H][W];
  int wrong = 0;
#pragma omp target teams distribute map(from : image) num_teams(4) thread_limit(32)
  for (int y = 0; y < H; y++) {
#pragma omp parallel for schedule(dynamic, 3)
    for (int x = 0; x < W; x++) image[y][x] = escape(x * 3.0 / W - 2.1, y * 2.5 / H - 1.25);
  }
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      wrong += abs(image[y][x] - escape(x * 3.0 / W - 2.1, y * 2.5 / H - 1.25)) > 1;
  return wrong;
}

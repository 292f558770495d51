/* Gravitation of bodies. */
#include "app.h"

enum { N = 48, STEPS = 2 };
typedef struct body {
  double x, y, z, vx, vy, vz, mass;
} body;

static void step(body *b, int on_device) {
#pragma omp target teams distribute parallel for if (target : on_device) map(tofrom : b [0:N])
  for (int i = 0; i < N; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < N; j++) {
      double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      double r = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.01), f = b[j].mass * r * r * r;
      ax += f * dx, ay += f * dy, az += f * dz;
    }
    b[i].vx += 0.01 * ax, b[i].vy += 0.01 * ay, b[i].vz += 0.01 * az;
  }
#pragma omp target teams distribute parallel for if (target : on_device) map(tofrom : b [0:N])
  for (int i = 0; i < N; i++)
    b[i].x += 0.01 * b[i].vx, b[i].y += 0.01 * b[i].vy, b[i].z += 0.01 * b[i].vz;
}

APP(nbody) {
  static body on[N], off[N];
  unsigned state = 3;
  for (int i = 0; i < N; i++)
    on[i] = off[i] = (body){app_next(&state) % 100 / 10.0,
                            app_next(&state) % 100 / 10.0,
                            app_next(&state) % 100 / 10.0,
                            0,
                            0,
                            0,
                            1 + i % 3};
  for (int s = 0; s < STEPS; s++) step(on, 1), step(off, 0);
  return app_differ(&on[0].x, &off[0].x, N * 7, 1e-12);
}

/* Molecular dynamics: Lennard-Jones atoms in a periodic box, velocity Verlet, three target regions
 * per step. The energy must be conserved. */
#include "bench/apps/app.h"

enum { SIDE = 6, ATOMS = SIDE * SIDE * SIDE };
#define BOX  (SIDE * 1.2)
#define STEP 0.002
typedef struct vec {
  double x, y, z;
} vec;
static vec at[ATOMS], speed[ATOMS], force[ATOMS];

#pragma omp declare target
static double nearest(double d) {
  return d - BOX * (double)(int)(d / BOX + (d > 0 ? 0.5 : -0.5));
}

/* Computes the force on atom i and returns its share of the potential energy. */
static double force_on(const vec *where, int i, vec *out) {
  vec f = {0, 0, 0};
  double energy = 0;
  for (int j = 0; j < ATOMS; j++) {
    if (j == i) continue;
    double x = nearest(where[i].x - where[j].x), y = nearest(where[i].y - where[j].y),
           z = nearest(where[i].z - where[j].z), r2 = x * x + y * y + z * z;
    if (r2 >= BOX * BOX / 4) continue;
    double s2 = 1 / r2, s6 = s2 * s2 * s2, c6 = 64 / (BOX * BOX * BOX * BOX * BOX * BOX);
    double k = 24 * s2 * s6 * (2 * s6 - 1);
    f.x += k * x, f.y += k * y, f.z += k * z;
    energy += 2 * (s6 * (s6 - 1) - c6 * (c6 - 1)); /* half of a pair, zero at the cutoff */
  }
  *out = f;
  return energy;
}
#pragma omp end declare target

static double step(void) {
  double energy = 0;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < ATOMS; i++) {
    speed[i].x += STEP / 2 * force[i].x, speed[i].y += STEP / 2 * force[i].y;
    speed[i].z += STEP / 2 * force[i].z;
    at[i].x += STEP * speed[i].x, at[i].y += STEP * speed[i].y, at[i].z += STEP * speed[i].z;
  }
#pragma omp target teams distribute parallel for reduction(+ : energy)
  for (int i = 0; i < ATOMS; i++) energy += force_on(at, i, &force[i]);
#pragma omp target teams distribute parallel for reduction(+ : energy)
  for (int i = 0; i < ATOMS; i++) {
    speed[i].x += STEP / 2 * force[i].x, speed[i].y += STEP / 2 * force[i].y;
    speed[i].z += STEP / 2 * force[i].z;
    energy += (speed[i].x * speed[i].x + speed[i].y * speed[i].y + speed[i].z * speed[i].z) / 2;
  }
  return energy;
}

int main(int argc, char **argv) {
  int batches = app_is_quick(argc, argv) ? 10 : 100, batch = 10;
  for (int i = 0; i < ATOMS; i++) {
    at[i] = (vec){i % SIDE * 1.2, i / SIDE % SIDE * 1.2, i / SIDE / SIDE * 1.2};
    speed[i] = (vec){0.3 * sin(i * 7.), 0.3 * sin(i * 11.), 0.3 * sin(i * 13.)};
  }
  double first = 0, last = 0;
#pragma omp target data map(tofrom : at, speed, force)
  {
    first = step();
    printf("app/dynamics ns");
    for (int k = 0; k < batches; k++) {
      double start = app_now();
      for (int i = 0; i < batch; i++) last = step();
      printf(" %.4g", (app_now() - start) / batch);
    }
  }
  printf("\n");
  app_check("total energy", last, first, 5e-3);
  return 0;
}

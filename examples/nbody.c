/* nbody: moves bodies by their gravity in leapfrog steps. Reductions check that energy and momentum
 * are conserved.
 *   solo-cc --static -O2 nbody.c -o nbody -lm && ./nbody [bodies] [steps]
 */
#include "report.h"

#include <math.h>

typedef struct body {
  double x, y, z, u, v, w, mass;
} body;

static const double softening = 1e-3;

static void kick(int n, body *b, double dt) {
#pragma omp target teams distribute parallel for map(tofrom : b [0:n])
  for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      double r2 = dx * dx + dy * dy + dz * dz + softening;
      double f = b[j].mass / (r2 * sqrt(r2));
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    b[i].u += dt * ax;
    b[i].v += dt * ay;
    b[i].w += dt * az;
  }
}

static void drift(int n, body *b, double dt) {
#pragma omp target teams distribute parallel for map(tofrom : b [0:n])
  for (int i = 0; i < n; i++) {
    b[i].x += dt * b[i].u;
    b[i].y += dt * b[i].v;
    b[i].z += dt * b[i].w;
  }
}

static double energy(int n, body *b, double *momentum) {
  double kinetic = 0, potential = 0, p = 0;
#pragma omp target teams distribute parallel for reduction(+ : kinetic, potential, p)              \
    map(tofrom : b[0 : n], kinetic, potential, p)
  for (int i = 0; i < n; i++) {
    kinetic += 0.5 * b[i].mass * (b[i].u * b[i].u + b[i].v * b[i].v + b[i].w * b[i].w);
    p += b[i].mass * (b[i].u + b[i].v + b[i].w);
    for (int j = 0; j < i; j++) {
      double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      potential -= b[i].mass * b[j].mass / sqrt(dx * dx + dy * dy + dz * dz + softening);
    }
  }
  *momentum = p;
  return kinetic + potential;
}

static double energy_on_host(int n, const body *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += 0.5 * b[i].mass * (b[i].u * b[i].u + b[i].v * b[i].v + b[i].w * b[i].w);
    for (int j = 0; j < i; j++) {
      double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y, dz = b[j].z - b[i].z;
      sum -= b[i].mass * b[j].mass / sqrt(dx * dx + dy * dy + dz * dz + softening);
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 256, steps = argc > 2 ? atoi(argv[2]) : 20;
  if (n < 2 || steps < 1)
    return fprintf(stderr, "nbody: at least 2 bodies and 1 step are required\n"), EXIT_FAILURE;
  body *b = malloc((size_t)n * sizeof *b);
  if (!b) return fprintf(stderr, "nbody: no memory for %d bodies\n", n), EXIT_FAILURE;
  for (int i = 0; i < n; i++)
    b[i] = (body){.x = 0.1 * sqrt(i) * cos(2.4 * i),
                  .y = 0.1 * sqrt(i) * sin(2.4 * i),
                  .z = 0.1 * sin(i),
                  .mass = 1.0 / n};
  report_device("nbody");

  double dt = 1e-2, momentum = 0, before = 0, after = 0, start = omp_get_wtime();
#pragma omp target data map(tofrom : b [0:n])
  {
    before = energy(n, b, &momentum);
    for (int s = 0; s < steps; s++) {
      kick(n, b, 0.5 * dt);
      drift(n, b, dt);
      kick(n, b, 0.5 * dt);
    }
    after = energy(n, b, &momentum);
  }
  report_time("time per step", (omp_get_wtime() - start) / steps);
  printf("  %-28s %10.3g relative\n", "drift of the energy", fabs((after - before) / before));
  double error = fmax(fabs(after - energy_on_host(n, b)) / fabs(after), fabs(momentum));
  if (fabs((after - before) / before) > 1e-3) error = INFINITY;
  free(b);
  return report_answer(error, 1e-10, "relative");
}

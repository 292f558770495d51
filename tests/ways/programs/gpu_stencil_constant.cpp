/* 3D stencil with constant memory and a halo in shared memory; launches by HIP's macro and by its
 * function. */
#include "gpu.h"
#include <string.h>

enum { RADIUS = 2, X = 32, Y = 12, Z = 6, STEPS = 4 };
__constant__ float coefficient[RADIUS + 1];

__global__ void step(const float *in, float *out) {
  __shared__ float line[X + 2 * RADIUS];
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  const float *row = in + (z * Y + y) * X;
  line[x + RADIUS] = row[x];
  if (x < RADIUS) {
    line[x] = row[0];
    line[x + X + RADIUS] = row[X - 1];
  }
  __syncthreads();
  float sum = coefficient[0] * line[x + RADIUS];
  for (int r = 1; r <= RADIUS; r++) {
    sum = fmaf(coefficient[r], line[x + RADIUS - r] + line[x + RADIUS + r], sum);
    int below = max(z - r, 0), above = min(z + r, Z - 1);
    sum += coefficient[r] * (in[(below * Y + y) * X + x] + in[(above * Y + y) * X + x]);
  }
  out[(z * Y + y) * X + x] = sum;
}

static void step_on_host(const float *in, float *out, const float *c) {
  for (int z = 0; z < Z; z++)
    for (int y = 0; y < Y; y++)
      for (int x = 0; x < X; x++) {
        const float *row = in + (z * Y + y) * X;
        float sum = c[0] * row[x];
        for (int r = 1; r <= RADIUS; r++) {
          sum += c[r] * (row[x - r < 0 ? 0 : x - r] + row[x + r >= X ? X - 1 : x + r]);
          int below = max(z - r, 0), above = min(z + r, Z - 1);
          sum += c[r] * (in[(below * Y + y) * X + x] + in[(above * Y + y) * X + x]);
        }
        out[(z * Y + y) * X + x] = sum;
      }
}

int main() {
  const float c[RADIUS + 1] = {0.5f, 0.0625f, 0.0625f};
  static float a[Z * Y * X], b[Z * Y * X], back[Z * Y * X];
  float *from, *to;
  for (int i = 0; i < Z * Y * X; i++) a[i] = (float)(i % 17);
  CHECK(GPU(MemcpyToSymbol)(coefficient, c, sizeof c));
  CHECK(GPU(Malloc)(&from, sizeof a));
  CHECK(GPU(Malloc)(&to, sizeof a));
  CHECK(GPU(Memcpy)(from, a, sizeof a, GPU(MemcpyHostToDevice)));
  for (int i = 0; i < STEPS; i++) {
    if (i % 2) {
#ifdef __HIP__
      hipLaunchKernelGGL(step, dim3(Y, Z), dim3(X), 0, 0, from, to);
#else
      step<<<dim3(Y, Z), X, 0, 0>>>(from, to);
#endif
    } else {
      void *arguments[] = {&from, &to};
      CHECK(GPU(LaunchKernel)((const void *)step, dim3(Y, Z), dim3(X), arguments, 0, 0));
    }
    step_on_host(a, b, c);
    memcpy(a, b, sizeof a);
    float *swap = from;
    from = to, to = swap;
  }
  CHECK(GPU(Memcpy)(back, from, sizeof back, GPU(MemcpyDeviceToHost)));
  int wrong = 0;
  for (int i = 0; i < Z * Y * X; i++)
    if (back[i] - a[i] > 1e-3f || a[i] - back[i] > 1e-3f) wrong++;
  CHECK(GPU(Free)(from));
  CHECK(GPU(Free)(to));
  return verdict(wrong);
}

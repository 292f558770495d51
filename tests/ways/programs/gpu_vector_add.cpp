/* Vector addition: bound check, partial block, grid-stride loop, float4 by pointer cast. */
#include "gpu.h"
#include <math.h>

__global__ void add(const double *a, const double *b, double *c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void scale(float4 *data, float by, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    float4 v = data[i];
    data[i] = make_float4(v.x * by, v.y * by, v.z * by, sqrtf(v.w));
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 4097;
  size_t bytes = (size_t)n * sizeof(double);
  double *a = (double *)malloc(bytes), *b = (double *)malloc(bytes), *c = (double *)malloc(bytes);
  for (int i = 0; i < n; i++) a[i] = sin(i) * sin(i), b[i] = cos(i) * cos(i);
  double *da, *db, *dc;
  CHECK(GPU(Malloc)(&da, bytes));
  CHECK(GPU(Malloc)(&db, bytes));
  CHECK(GPU(Malloc)(&dc, bytes));
  CHECK(GPU(Memcpy)(da, a, bytes, GPU(MemcpyHostToDevice)));
  CHECK(GPU(Memcpy)(db, b, bytes, GPU(MemcpyHostToDevice)));
  int block = 256, grid = (int)ceil((float)n / block);
  add<<<grid, block>>>(da, db, dc, n);
  CHECK(GPU(GetLastError)());
  CHECK(GPU(Memcpy)(c, dc, bytes, GPU(MemcpyDeviceToHost)));
  double sum = 0;
  for (int i = 0; i < n; i++) sum += c[i];
  printf("final result: %f\n", sum / n);
  int wrong = fabs(sum / n - 1) > 1e-9;

  enum { M = 1000 };
  static float f[4 * M];
  for (int i = 0; i < 4 * M; i++) f[i] = (float)(i % 64) * (i % 64);
  float4 *df;
  CHECK(GPU(Malloc)(&df, sizeof f));
  CHECK(GPU(Memcpy)(df, f, sizeof f, GPU(MemcpyHostToDevice)));
  scale<<<4, 64>>>(df, 3.f, M);
  CHECK(GPU(DeviceSynchronize)());
  CHECK(GPU(Memcpy)(f, df, sizeof f, GPU(MemcpyDeviceToHost)));
  for (int i = 0; i < 4 * M; i++) {
    float was = (float)(i % 64) * (i % 64);
    wrong += f[i] != (i % 4 == 3 ? (float)(i % 64) : 3 * was);
  }
  CHECK(GPU(Free)(da));
  CHECK(GPU(Free)(db));
  CHECK(GPU(Free)(dc));
  CHECK(GPU(Free)(df));
  free(a);
  free(b);
  free(c);
  return verdict(wrong);
}

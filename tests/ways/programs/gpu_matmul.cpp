/* Tiled matrix product: two-dimensional grids, a struct by value, copies on the device, properties. */
#include "gpu.h"
#include <string.h>

enum { TILE = 8 };

struct matrix {
  int rows, columns;
  float *at;
  short pad[3];
};

__global__ void multiply(matrix a, matrix b, matrix c) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < a.columns; t += TILE) {
    left[threadIdx.y][threadIdx.x] = a.at[row * a.columns + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b.at[(t + threadIdx.y) * b.columns + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c.at[row * c.columns + column] = sum + c.pad[2];
}

int main() {
  enum { N = 32 };
  static float a[N * N], b[N * N], c[N * N];
  matrix m[3];
  for (int i = 0; i < N * N; i++) a[i] = (float)(i % 7), b[i] = (float)(i % 5);
  for (int k = 0; k < 3; k++) {
    m[k] = {N, N, nullptr, {0, 0, 2}};
    CHECK(GPU(Malloc)(&m[k].at, sizeof a));
  }
  int count = 0, device = -1;
  CHECK(GPU(GetDeviceCount)(&count));
  CHECK(GPU(SetDevice)(count - 1));
  CHECK(GPU(SetDevice)(0));
  CHECK(GPU(GetDevice)(&device));
  int wrong = device != 0 || GPU(SetDevice)(count) != GPU(ErrorInvalidDevice);
  wrong += GPU(PeekAtLastError)() != GPU(ErrorInvalidDevice);
  wrong += GPU(GetLastError)() != GPU(ErrorInvalidDevice) || GPU(GetLastError)() != GPU(Success);
#ifdef __HIP__
  hipDeviceProp_t p;
  CHECK(hipGetDeviceProperties(&p, 0));
  wrong += strncmp(p.gcnArchName, "gfx90a", 6) != 0 || p.warpSize != 64 || p.major != 9;
#else
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  wrong += p.warpSize != 32 || p.major != 9 || p.minor != 0;
#endif
  wrong +=
      !p.name[0] || !p.totalGlobalMem || p.maxThreadsPerBlock < 256 || p.multiProcessorCount < 1;
  CHECK(GPU(Memcpy)(m[2].at, a, sizeof a, GPU(MemcpyHostToDevice)));
  CHECK(GPU(Memcpy)(m[0].at, m[2].at, sizeof a, GPU(MemcpyDeviceToDevice)));
  CHECK(GPU(Memcpy)(m[1].at, b, sizeof b, GPU(MemcpyHostToDevice)));
  multiply<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(m[0], m[1], m[2]);
  CHECK(GPU(GetLastError)());
  CHECK(GPU(Memcpy)(c, m[2].at, sizeof c, GPU(MemcpyDeviceToHost)));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 2;
      for (int k = 0; k < N; k++) sum += a[i * N + k] * b[k * N + j];
      wrong += c[i * N + j] != sum;
    }
  multiply<<<0, 1>>>(m[0], m[1], m[2]);
  wrong += GPU(GetLastError)() != GPU(ErrorInvalidConfiguration);
  for (int k = 0; k < 3; k++) CHECK(GPU(Free)(m[k].at));
  wrong += GPU(Free)(m[0].at) != GPU(ErrorInvalidValue);
  return verdict(wrong);
}

/* Histograms by atomics in global and in dynamic shared memory; all kinds of atomics. */
#include "gpu.h"

enum { BINS = 256, N = 30000 };

__global__ void plain(const uchar4 *data, int n, unsigned *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 v = data[i];
  atomicAdd(&bins[v.x], 1u);
  atomicAdd(&bins[v.y], 1u);
  atomicAdd(&bins[v.z], 1u);
  atomicAdd(&bins[v.w], 1u);
}

extern __shared__ unsigned own[];

__global__ void shared(const unsigned char *data, int n, unsigned *bins) {
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}

__global__ void kinds(int *at, unsigned long long *wide, double *real) {
  int i = threadIdx.x;
  atomicMax(&at[0], i);
  atomicMin(&at[1], -i);
  atomicSub(&at[2], 2);
  atomicOr(&at[3], 1 << i % 8);
  atomicAnd(&at[4], ~(1 << i % 8));
  atomicXor(&at[5], i);
  atomicExch(&at[6], 77);
  atomicAdd(wide, 1ull << 33);
  atomicAdd(real, 0.5);
}

int main() {
  static unsigned char data[N];
  static unsigned expected[BINS], got[BINS];
  unsigned seed = 1;
  for (int i = 0; i < N; i++) {
    seed = seed * 1103515245 + 12345;
    expected[data[i] = (unsigned char)(seed >> 16)]++;
  }
  unsigned char *d_data;
  unsigned *d_bins;
  CHECK(GPU(Malloc)(&d_data, sizeof data));
  CHECK(GPU(Malloc)(&d_bins, sizeof got));
  CHECK(GPU(Memcpy)(d_data, data, sizeof data, GPU(MemcpyHostToDevice)));
  int wrong = 0;
  for (int round = 0; round < 2; round++) {
    CHECK(GPU(MemsetAsync)(d_bins, 0, sizeof got, 0));
    if (round)
      shared<<<6, 128, BINS * sizeof(unsigned)>>>(d_data, N, d_bins);
    else
      plain<<<(N / 4 + 127) / 128, 128>>>((const uchar4 *)d_data, N / 4, d_bins);
    CHECK(GPU(GetLastError)());
    CHECK(GPU(Memcpy)(got, d_bins, sizeof got, GPU(MemcpyDeviceToHost)));
    for (int b = 0; b < BINS; b++) wrong += got[b] != expected[b];
  }
  int at[7] = {-1, 1, 0, 0, 255, 0, 0}, *d_at;
  unsigned long long wide = 0, *d_wide;
  double real = 0, *d_real;
  CHECK(GPU(Malloc)(&d_at, sizeof at));
  CHECK(GPU(Malloc)(&d_wide, sizeof wide));
  CHECK(GPU(Malloc)(&d_real, sizeof real));
  CHECK(GPU(Memcpy)(d_at, at, sizeof at, GPU(MemcpyHostToDevice)));
  CHECK(GPU(Memcpy)(d_wide, &wide, sizeof wide, GPU(MemcpyHostToDevice)));
  CHECK(GPU(Memcpy)(d_real, &real, sizeof real, GPU(MemcpyHostToDevice)));
  kinds<<<1, 64>>>(d_at, d_wide, d_real);
  CHECK(GPU(Memcpy)(at, d_at, sizeof at, GPU(MemcpyDeviceToHost)));
  CHECK(GPU(Memcpy)(&wide, d_wide, sizeof wide, GPU(MemcpyDeviceToHost)));
  CHECK(GPU(Memcpy)(&real, d_real, sizeof real, GPU(MemcpyDeviceToHost)));
  wrong += at[0] != 63 || at[1] != -63 || at[2] != -128 || at[3] != 255 || at[4] != 0 ||
           at[5] != 0 || at[6] != 77 || wide != 64ull << 33 || real != 32;
  CHECK(GPU(Free)(d_at));
  CHECK(GPU(Free)(d_wide));
  CHECK(GPU(Free)(d_real));
  CHECK(GPU(Free)(d_data));
  CHECK(GPU(Free)(d_bins));
  return verdict(wrong);
}

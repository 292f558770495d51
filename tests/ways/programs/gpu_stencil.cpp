/* Launches in a loop that swap buffers; managed memory; a histogram. */
#include "gpu.h"

#ifdef __HIP__
__managed__ int histogram[16];
#else /* Clang's CUDA lacks managed variables */
__device__ int histogram[16];
#endif

__global__ void smooth(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) to[i] = (from[i - 1] + from[i + 1]) / 2;
}

__global__ void count(const float *data, int n, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bin = (int)(data[i] * 16);
  atomicAdd(&histogram[bin < 16 ? bin : 15], 1);
  atomicMax(bins, bin);
}

int main() {
  enum { N = 512, ROUNDS = 50 };
  static float data[N], other[N];
  float *from, *to;
  int *bins;
  for (int i = 0; i < N; i++) data[i] = other[i] = (float)(i % 64) / 64;
  CHECK(GPU(Malloc)(&from, sizeof data));
  CHECK(GPU(Malloc)(&to, sizeof data));
  CHECK(GPU(MallocManaged)(&bins, sizeof *bins));
  *bins = -1;
  CHECK(GPU(Memcpy)(from, data, sizeof data, GPU(MemcpyHostToDevice)));
  CHECK(GPU(Memcpy)(to, data, sizeof data, GPU(MemcpyHostToDevice)));
  for (int round = 0; round < ROUNDS; round++) {
    smooth<<<N / 64, 64>>>(from, to, N);
    float *swap = from;
    from = to, to = swap;
    for (int i = 1; i < N - 1; i++) other[i] = (data[i - 1] + data[i + 1]) / 2;
    for (int i = 1; i < N - 1; i++) data[i] = other[i];
  }
  count<<<N / 64, 64>>>(from, N, bins);
  CHECK(GPU(GetLastError)());
  CHECK(GPU(Memcpy)(other, from, sizeof other, GPU(MemcpyDeviceToHost)));
  CHECK(GPU(DeviceSynchronize)());
  int wrong = 0, expected[16] = {0}, most = -1, bin_counts[16];
#ifdef __HIP__
  for (int b = 0; b < 16; b++) bin_counts[b] = histogram[b];
#else
  CHECK(cudaMemcpyFromSymbol(bin_counts, histogram, sizeof bin_counts));
#endif
  for (int i = 0; i < N; i++) {
    int bin = (int)(data[i] * 16);
    wrong += other[i] != data[i];
    expected[bin < 16 ? bin : 15]++;
    if (bin > most) most = bin;
  }
  for (int b = 0; b < 16; b++) wrong += bin_counts[b] != expected[b];
  wrong += *bins != most;
  CHECK(GPU(Free)(bins));
  CHECK(GPU(Free)(from));
  CHECK(GPU(Free)(to));
  return verdict(wrong);
}

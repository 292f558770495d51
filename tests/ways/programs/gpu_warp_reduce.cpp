/* Sum by warp shuffles; maximum by compare-and-swap; a last block found by a counter and a fence. */
#include "gpu.h"

#ifdef __HIP__
#define DOWN(value, by) __shfl_down(value, by)
enum { WARP = 64 };
#else
#define DOWN(value, by) __shfl_down_sync(0xffffffff, value, by)
enum { WARP = 32 };
#endif
enum { BLOCK = 256, N = 20000 };

__device__ float of_warp(float sum) {
  for (int by = WARP / 2; by > 0; by /= 2) sum += DOWN(sum, by);
  return sum;
}

__global__ void sum_kernel(const float *__restrict__ in, float *out, int n) {
  __shared__ float part[BLOCK / WARP];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += __ldg(&in[i]);
  sum = of_warp(sum);
  int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / WARP ? part[lane] : 0;
  if (warp == 0) sum = of_warp(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__device__ void atomic_max(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
  do {
    assumed = old;
    if (__builtin_bit_cast(double, assumed) >= value) return;
    old = atomicCAS(bits, assumed, __builtin_bit_cast(unsigned long long, value));
  } while (assumed != old);
}

__device__ unsigned blocks_done;

__global__ void max_kernel(const float *in, double *max, double *last, int n) {
  __shared__ bool is_last;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_max(max, in[i]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (is_last && threadIdx.x == 0) *last = *max * 2;
}

int main() {
  static float in[N];
  double expected = 0, greatest = 0, got[2];
  for (int i = 0; i < N; i++) {
    in[i] = (float)((i * 37) % 1009);
    expected += in[i];
    if (in[i] > greatest) greatest = in[i];
  }
  float *d_in, *d_sum, sum;
  double *d_max;
  CHECK(GPU(Malloc)((void **)&d_in, sizeof in));
  CHECK(GPU(Malloc)((void **)&d_sum, sizeof sum));
  CHECK(GPU(Malloc)((void **)&d_max, sizeof got));
  CHECK(GPU(Memcpy)(d_in, in, sizeof in, GPU(MemcpyHostToDevice)));
  CHECK(GPU(Memset)(d_sum, 0, sizeof sum));
  CHECK(GPU(Memset)(d_max, 0, sizeof got));
  sum_kernel<<<8, BLOCK>>>(d_in, d_sum, N);
  CHECK(GPU(GetLastError)());
  max_kernel<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_max, d_max + 1, N);
  CHECK(GPU(GetLastError)());
  CHECK(GPU(Memcpy)(&sum, d_sum, sizeof sum, GPU(MemcpyDeviceToHost)));
  CHECK(GPU(Memcpy)(got, d_max, sizeof got, GPU(MemcpyDeviceToHost)));
  printf("sum %g of %g, max %g of %g, last %g\n", sum, expected, got[0], greatest, got[1]);
  int wrong = sum < expected * 0.999 || sum > expected * 1.001 || got[0] != greatest ||
              got[1] != 2 * greatest;
  CHECK(GPU(Free)(d_in));
  CHECK(GPU(Free)(d_sum));
  CHECK(GPU(Free)(d_max));
  return verdict(wrong);
}

/* Block sums: static and dynamic shared memory, barriers, atomics, device variables, constants,
 * kernel templates. */
#include "gpu.h"

__device__ unsigned long long total;
__constant__ int factor[2];

template <typename T> __global__ void sum_static(const T *data, int n) {
  __shared__ unsigned long long part[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? (unsigned long long)data[i] * (unsigned)factor[0] : 0;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(&total, part[0]);
}

#ifdef __HIP__
extern __shared__ char dynamic[];
#else
extern __shared__ char dynamic[];
#endif

__global__ void sum_dynamic(const int *data, int n, unsigned long long *out) {
  unsigned *part = (unsigned *)dynamic;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? (unsigned)(data[i] * factor[1]) : 0;
  __syncthreads();
  if (threadIdx.x) return;
  unsigned long long sum = 0;
  for (unsigned t = 0; t < blockDim.x; t++) sum += part[t];
  atomicAdd(out, sum);
}

int main() {
  enum { N = 5000 };
  static int data[N];
  const int factors[2] = {3, 7};
  unsigned long long expected = 0, got = 0, zero = 0, other = 0, *out;
  int *device;
  for (int i = 0; i < N; i++) data[i] = i % 101, expected += (unsigned)data[i];
  CHECK(GPU(Malloc)(&device, sizeof data));
  CHECK(GPU(Malloc)(&out, sizeof *out));
  CHECK(GPU(Memcpy)(device, data, sizeof data, GPU(MemcpyDefault)));
  CHECK(GPU(Memset)(out, 0, sizeof *out));
  CHECK(GPU(MemcpyToSymbol)(factor, factors, sizeof factors));
  CHECK(GPU(MemcpyToSymbol)(total, &zero, sizeof zero));
  sum_static<int><<<(N + 127) / 128, 128>>>(device, N);
  CHECK(GPU(GetLastError)());
  sum_dynamic<<<(N + 63) / 64, 64, 64 * sizeof(unsigned)>>>(device, N, out);
  CHECK(GPU(GetLastError)());
  CHECK(GPU(MemcpyFromSymbol)(&got, total, sizeof got));
  CHECK(GPU(Memcpy)(&other, out, sizeof other, GPU(MemcpyDeviceToHost)));
  CHECK(GPU(Free)(device));
  CHECK(GPU(Free)(out));
  printf("%llu %llu\n", got, other);
  return verdict(got != 3 * expected || other != 7 * expected);
}

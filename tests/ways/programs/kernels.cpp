/* HIP and CUDA kernels for two C programs: rex_axpy.c and examples/by_hand.c. */
#ifdef __HIP__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

__device__ void axpy(const double *x, double *y, unsigned long long factor, long n) {
  double a = __builtin_bit_cast(double, factor);
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] += a * x[i];
}

extern "C" __global__ void OUT__1__main__7__kernel__(void *environment, const double *x, double *y,
                                                     unsigned long long factor, long n) {
  axpy(x, y, factor, n);
}

extern "C" __global__ void OUT__2__main__9__kernel__(void *environment, const double *x, double *y,
                                                     unsigned long long factor, long n) {
  axpy(x, y, factor, n);
}

extern "C" __global__ void scale(double *data, long factor, long count) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] *= (double)factor;
}

/* The demonstration of seed 004, as it stands there. */
#include <hip/hip_runtime.h>

__global__ void addOne(int *v) {
  *v += 1;
}

int main() {
  int h_v = 0;
  int *d_v;
  hipMalloc(&d_v, sizeof(int));
  hipMemcpy(d_v, &h_v, sizeof(int), hipMemcpyHostToDevice);
  addOne<<<1,1>>>(d_v);
  hipMemcpy(&h_v, d_v, sizeof(int), hipMemcpyDeviceToHost);
  printf("v is %d\n", h_v);
}

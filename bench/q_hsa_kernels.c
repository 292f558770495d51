/* The kernels of q_hsa for AMD GPUs, compiled without a device library. */
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))

KERNEL void sim_nothing(void *launch) {
  (void)launch;
}

KERNEL void sim_add(void *launch, int *x, unsigned long n, unsigned long k) {
  (void)launch;
  unsigned long i =
      __builtin_amdgcn_workgroup_id_x() * (unsigned long)__builtin_amdgcn_workgroup_size_x() +
      __builtin_amdgcn_workitem_id_x();
  if (i < n) x[i] += (int)k;
}

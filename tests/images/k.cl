/* Input of the image tests: two kernels for amdgcn, compiled without a library. add uses each kind
 * of hidden argument that the code generator adds; one uses none. */
kernel void add(global int *a, global const int *b, int n, local float *s, double d) {
  int i = __builtin_amdgcn_workitem_id_x() +
          __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x();
  if (i < n) a[i] += b[i] + s[i] * d;
}
kernel void one(global int *a) {
  *a = 1;
}

/* CPU device code of rex_axpy.c. The first parameter of REX's kernels is the launch environment. */
static void axpy(const double *x, double *y, unsigned long long factor, long n) {
  double f;
  __builtin_memcpy(&f, &factor, sizeof f);
  for (long i = 0; i < n; i++) y[i] += f * x[i];
}

__attribute__((visibility("default"))) void OUT__1__main__7__kernel__(void *__rex_kernel_launch_env,
                                                                      const double *x, double *y,
                                                                      unsigned long long factor,
                                                                      long n) {
  (void)__rex_kernel_launch_env;
  axpy(x, y, factor, n);
}

__attribute__((visibility("default"))) void OUT__2__main__9__kernel__(void *__rex_kernel_launch_env,
                                                                      const double *x, double *y,
                                                                      unsigned long long factor,
                                                                      long n) {
  (void)__rex_kernel_launch_env;
  axpy(x, y, factor, n);
}

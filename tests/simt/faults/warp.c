/* A shuffle with lanes that do not participate. */
int main(void) {
  int x[32] = {0};
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(tofrom : x)
  for (int i = 0; i < 32; i++) {
    x[i] = i;
#if defined(__NVPTX__)
    if (i < 2)
      x[i] = __nvvm_shfl_sync_idx_i32(0xffffffff, i, 1, 31); /* here */
    else
      __nvvm_barrier_sync(5);
    if (i < 2) __nvvm_barrier_sync(5);
#endif
  }
  return x[0] != 1;
}

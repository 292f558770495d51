/* Half of the block skips a barrier (compilers reject the pragma here). */
#if defined(__NVPTX__)
#define barrier_of_the_block() __nvvm_bar_sync(0)
#elif defined(__AMDGCN__)
#define barrier_of_the_block() __builtin_amdgcn_s_barrier()
#else
#define barrier_of_the_block() ((void)0)
#endif

int main(void) {
  int x[64] = {0};
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) map(tofrom : x)
  for (int i = 0; i < 64; i++) {
    x[i] = i;
    if (i % 64 < 32) barrier_of_the_block(); /* here */
  }
  return 0;
}

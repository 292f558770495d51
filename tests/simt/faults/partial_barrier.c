/* Half of the threads skip a barrier of 64. */
#if defined(__NVPTX__)
#define wait_for_all(id) __nvvm_barrier_sync_cnt(id, 64)
#elif defined(__AMDGCN__)
#define wait_for_all(id) __builtin_amdgcn_s_barrier()
#else
#define wait_for_all(id) ((void)0)
#endif

int main(void) {
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(64)
  for (int i = 0; i < 64; i++)
    if (i < 32) wait_for_all(3); /* here */
  return 0;
}

/* Constructs without device code: CASE 1 to 3; 4 on AMD GPUs. */
#include <omp.h>
int main(void) {
  int x = 0, bad = 0;
#pragma omp target parallel map(tofrom : x, bad)
  {
#if CASE == 1
    int mine = 0;
#pragma omp single copyprivate(mine)
    mine = 1; /* __kmpc_copyprivate */
    bad += mine;
#elif CASE == 2
    omp_event_handle_t event;
#pragma omp task detach(event) shared(x) /* __kmpc_task_allow_completion_event */
    x = 1;
#elif CASE == 3
    bad += omp_in_explicit_task(); /* omp_in_explicit_task */
#else
#pragma omp for ordered(1) /* __kmpc_doacross_init */
    for (int i = 0; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
      x++;
#pragma omp ordered depend(source)
    }
#endif
  }
  return bad;
}

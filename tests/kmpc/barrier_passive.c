/* Description: checks barriers with threads that sleep immediately. A thread must check its
 * condition again after it has announced its sleep, or the thread misses a wake-up that occurs in
 * between. The mutation barrier-no-look (tests/mutations/core.list) removes this check.
 * Env: OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 */
#include <omp.h>
#include <stdio.h>

enum { BARRIERS = 40000 };

int main(void) {
  int wrong = 0;
#pragma omp parallel num_threads(omp_get_max_threads() > 4 ? 4 : omp_get_max_threads()) reduction(+ : wrong)
  {
    volatile int work = 0;
    const int me = omp_get_thread_num();
    for (int i = 0; i < BARRIERS; i++) {
      for (int k = (i * (me ? 7 : 13)) % 97; k > 0; k--) work += k;
#pragma omp barrier
    }
    wrong += work < 0;
  }
  if (wrong) printf("%d threads computed wrong\n", wrong);
  return wrong;
}

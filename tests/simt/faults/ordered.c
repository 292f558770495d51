/* No errors: release and acquire, or relaxed operations with flushes. */
enum { BLOCKS = 5 };

int main(void) {
  int data[2] = {0}, flag[2] = {0}, seen = 0, wrong = 0, arrived = 0, part[BLOCKS] = {0}, total = 0;
#pragma omp target teams num_teams(1) thread_limit(64) map(tofrom : data, flag, seen, wrong)
#pragma omp parallel
  {
    int me = 0, is_set = 0;
#pragma omp atomic capture
    me = seen++;
    if (me == 0) {
      data[0] = 7;
#pragma omp atomic write release
      flag[0] = 1;
      data[1] = 8;
#pragma omp flush
#pragma omp atomic write
      flag[1] = 1;
    } else {
      while (!is_set) {
#pragma omp atomic read acquire
        is_set = flag[0];
      }
      int first = data[0];
      for (is_set = 0; !is_set;) {
#pragma omp atomic read
        is_set = flag[1];
      }
#pragma omp flush
      if (first != 7 || data[1] != 8) {
#pragma omp atomic
        wrong++;
      }
    }
  }
#pragma omp target teams num_teams(BLOCKS) thread_limit(32) map(tofrom : arrived, part, total)
#pragma omp parallel num_threads(1)
  {
    int mine = 0, last = 0;
#pragma omp atomic capture acq_rel
    mine = arrived++;
    part[mine % 10] = mine % 10 + 1;
#pragma omp flush
#pragma omp atomic capture
    last = arrived += 10;
#pragma omp flush
    if (last == 11 * BLOCKS)
      for (int i = 0; i < BLOCKS; i++) total += part[i];
  }
  struct {
    long first, second;
  } pair = {3, 4};
#pragma omp target firstprivate(pair) map(tofrom : wrong)
  wrong += pair.first * pair.second != 12;
  int teams = 0;
#pragma omp target teams num_teams(BLOCKS) reduction(+ : teams) map(tofrom : teams)
  teams += 1;
  wrong += teams != BLOCKS;
  return wrong || total != BLOCKS * (BLOCKS + 1) / 2;
}

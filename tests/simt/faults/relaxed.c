/* A relaxed flag orders no other accesses. */
int main(void) {
  int data = 0, flag = 0, got = 0;
#pragma omp target teams num_teams(1) thread_limit(64) map(tofrom : data, flag, got)
#pragma omp parallel
  {
    int is_set = 0, me = 0;
#pragma omp atomic capture
    me = got++;
    if (me == 0) {
      data = 7;
#pragma omp atomic write
      flag = 1;
    } else if (me == 1) {
      while (!is_set) {
#pragma omp atomic read
        is_set = flag;
      }
      data += 1; /* here */
    }
  }
  return data != 8;
}

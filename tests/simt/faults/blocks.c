/* Blocks add to one word without an atomic. */
int main(void) {
  int sum = 0;
#pragma omp target teams num_teams(4) thread_limit(32) map(tofrom : sum)
  sum += 1; /* here */
  return 0;
}

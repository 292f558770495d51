/* Threads add to one word without an atomic. */
int main(void) {
  int sum = 0, part[4] = {0};
/* clang-format off */
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) \
    map(tofrom : sum, part)
  /* clang-format on */
  for (int i = 0; i < 256; i++) {
    sum += i; /* here */
#pragma omp atomic
    part[i / 64] += 1; /* not here */
  }
  return part[3] != 64;
}

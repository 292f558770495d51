int threads(void) {
  int r = 0;
#pragma omp parallel num_threads(3) reduction(+ : r)
  r++;
  return r;
}

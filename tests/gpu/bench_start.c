/* Measures process start with OpenMP: one empty region. */
int main(void) {
#pragma omp target
  { __asm__ volatile(""); }
  return 0;
}

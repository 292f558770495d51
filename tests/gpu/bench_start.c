/* The OpenMP program of the start-up comparison: one empty region on the device. */
int main(void) {
#pragma omp target
  { __asm__ volatile(""); }
  return 0;
}

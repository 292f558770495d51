/* The OpenMP program of the start-up comparison: one empty region on the device. */
int main(void) {
  int ran = 0;
#pragma omp target map(tofrom : ran)
  ran = 1;
  return !ran;
}

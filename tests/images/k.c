/* Input of the image tests: a target region and a global variable. */
#pragma omp declare target
int counter = 1;
#pragma omp end declare target
int main(void) {
  int x = 0;
#pragma omp target map(tofrom : x)
  x = counter + 1;
  return x != 2;
}

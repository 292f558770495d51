/* A thread needs more local memory than the virtual GPU has. */
enum { N = 32000 };
#pragma omp begin declare target
static int deeper(const char *from, int depth) {
  volatile char own[N];
  for (int i = 0; i < N; i++) own[i] = from[i]; /* here */
  if (depth == 0) return own[99];
  return deeper((const char *)own, depth - 1) + 1;
}
#pragma omp end declare target

int main(void) {
  char a[N] = {0};
  int deep = 0;
#pragma omp target teams thread_limit(32) map(to : a) map(tofrom : deep)
#pragma omp parallel
  if (a[0] == 0) deep = deeper(a, 40);
  return deep;
}

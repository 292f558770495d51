/* Untied tasks, destructors of firstprivate objects, the last iteration of a taskloop, ordered loops, and regions after tasks
 * and nested regions. */
#include <omp.h>
#include <stdio.h>
enum { N = 200 };
#pragma omp begin declare target
static int destroyed;
struct counted {
  int value;
  counted(int v) : value(v) {}
  counted(const counted &c) : value(c.value) {}
  ~counted() {
    destroyed += value;
  }
};
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) untied firstprivate(n)
  a = fib(n - 1);
#pragma omp task shared(b) untied if (n > 4)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
#pragma omp end declare target
int main() {
  int number = 0, last = -1, regions = 0, nested = 0, threads = 0, again = 0, at = 0, wrong = 0,
      gone = 0;
  static int out[3 * N];
#pragma omp target map(tofrom : last, gone)
  {
    counted c(5);
#pragma omp task firstprivate(c)
    last = c.value;
    gone = destroyed;
  }
#pragma omp target map(tofrom : number, last, regions, nested, threads, again)
  {
#pragma omp parallel
#pragma omp single
    {
      number = fib(9);
#pragma omp taskloop lastprivate(last) grainsize(4)
      for (int i = 0; i < 50; i += 7) last = i;
    }
#pragma omp parallel
    {
#pragma omp parallel num_threads(2)
#pragma omp atomic
      nested++;
#pragma omp single
      threads = omp_get_num_threads();
    }
#pragma omp parallel
#pragma omp masked
    {
      regions++;
      again = omp_get_num_threads();
    }
  }
#pragma omp target parallel for ordered schedule(static, 1) map(tofrom : out, at)
  for (int i = 0; i < N; i++) {
    int twice = 2 * i;
#pragma omp ordered
    out[at++] = twice;
  }
#pragma omp target parallel for ordered schedule(dynamic) collapse(2) map(tofrom : out, at)
  for (int i = N / 10 - 1; i >= 0; i--)
    for (int k = 0; k < 10; k++) {
#pragma omp ordered
      out[at++] = 10 * i + k;
    }
#pragma omp target parallel for ordered schedule(guided, 3) map(tofrom : out, at)
  for (long i = -N; i < 0; i++) {
#pragma omp ordered
    out[at++] = (int)i;
  }
  for (int i = 0; i < N; i++)
    wrong += (out[i] != 2 * i) + (out[N + i] != N - 10 - i / 10 * 10 + i % 10) +
             (out[2 * N + i] != i - N);
  printf("%d %d %d %d %d %d %d %d %d\n", number, last, regions, nested, threads, again, at, wrong,
         gone);
  return number != 34 || last != 49 || regions != 1 || nested < threads || again < 1 ||
         at != 3 * N || wrong || gone != 5;
}

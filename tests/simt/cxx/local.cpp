/* Static objects of functions: constructed once, destroyed in reverse order before static objects. */
#include <cstdio>
#include <omp.h>
#pragma omp begin declare target
struct object {
  int number;
  explicit object(int n) : number(n) {}
  ~object() {
    if (!omp_is_initial_device()) printf("device %d\n", number);
  }
};
static object global(0);
static int first() {
  static object o(1);
  return o.number++;
}
static int second() {
  static object o(first() + 3);
  return o.number;
}
#pragma omp end declare target
int main() {
  int sum = 0;
#pragma omp target parallel num_threads(64) map(tofrom : sum)
  {
    int mine = second();
#pragma omp atomic
    sum += mine;
  }
  std::printf("sum %d\n", sum);
  return sum != 64 * 4;
}

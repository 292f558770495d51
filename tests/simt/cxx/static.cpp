/* Static objects: constructors in the order of the definitions, destructors in reverse order. */
#include <cstdio>
#include <omp.h>
#pragma omp begin declare target
static volatile int one = 1;
static int seen[8], count;
struct object {
  int number;
  explicit object(int n) : number(n) {
    seen[count++] = n;
  }
  ~object() {
    printf("%s %d\n", omp_is_initial_device() ? "host" : "device", number);
  }
};
static object first(one);
object second(first.number + one);
static object third(second.number + one);
#pragma omp end declare target
int main() {
  int order = 0;
#pragma omp target map(tofrom : order)
  for (int i = 0; i < count; i++) order = order * 10 + seen[i];
  std::printf("constructors %d\n", order);
  return order != 123;
}

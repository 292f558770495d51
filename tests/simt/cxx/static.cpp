/* Static objects: constructors in the order of the definitions, destructors in reverse order. */
#include <cstdio>
#pragma omp begin declare target
static int seen[8], count;
struct object {
  int number;
  explicit object(int n) : number(n) {
    seen[count++] = n;
  }
  ~object() {
    printf("destructor %d\n", number);
  }
};
static object first(1);
object second(first.number + 1);
static object third(second.number + 1);
#pragma omp end declare target
int main() {
  int order = 0;
#pragma omp target map(tofrom : order)
  for (int i = 0; i < count; i++) order = order * 10 + seen[i];
  std::printf("constructors %d\n", order);
  return order != 123;
}

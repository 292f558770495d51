#include <stdexcept>
int main() {
  int n = 0;
#pragma omp target map(tofrom : n)
  {
    n = 1;
    if (n == 2) throw std::runtime_error("line 7");
  }
  return n;
}

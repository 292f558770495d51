/* A class with pure virtual functions and a pure virtual destructor. */
#include <cstdio>
#pragma omp begin declare target
struct base {
  int *n;
  base(int *p) : n(p) {}
  virtual int f() = 0;
  virtual ~base() = 0;
};
inline base::~base() {
  *n += 1;
}
struct derived : base {
  derived(int *p) : base(p) {}
  int f() override {
    return 7;
  }
  ~derived() override {
    *n += 10;
  }
};
#pragma omp end declare target
int main() {
  int n = 0, f = 0;
#pragma omp target map(tofrom : n, f)
  {
    derived d(&n);
    base *b = &d;
    f = b->f();
    base *h = new derived(&n);
    f += h->f();
    delete h;
  }
  std::printf("%d %d\n", n, f);
  return n != 22 || f != 14;
}

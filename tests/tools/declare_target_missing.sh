# Description: checks the link error if device code uses a symbol that only host code defines. Device code may use library
# functions.
name=declare_target_missing
. tests/tools/lib.sh
cat >uses.c <<'END'
#include <math.h>
#include <stdio.h>
int helper(int);
int main(void) {
  int r = 0;
  double d = 2.0;
#pragma omp target map(from : r) map(tofrom : d)
  {
    r = helper(1);
    d = sqrt(d * d + pow(d, 3.0) * 0.0);
  }
  printf("%d %.1f\n", r, d);
  return r != 2;
}
END
echo 'int helper(int x) { return x + 1; }' >host_only.c
cat >right.c <<'END'
#pragma omp begin declare target
int helper(int x) { return x + 1; }
#pragma omp end declare target
END
for clang in clang-19 clang-22; do
  for f in uses host_only right; do works $cc --clang=$clang --static -c $f.c; done
  refused "uses.o|'helper'|host_only.o|declare target|solo-cc" $cc --static uses.o host_only.o -o p
  refused "'helper'" $cc --static host_only.o uses.o -o p
  works $cc --static uses.o right.o -lm -o p
  says '2 2.0' ./p
done
works musl-gcc -c host_only.c -o helper.o
ar rcs libhelper.a helper.o
works $cc --static uses.o libhelper.a -lm -o p
says '2 2.0' ./p
# C++: the demangled name
cat >u.cpp <<'END'
namespace deep { int helper(double); }
int main() {
  int r = 0;
#pragma omp target map(from : r)
  r = deep::helper(1.0);
  return r;
}
END
echo 'namespace deep { int helper(double x) { return (int)x; } }' >h.cpp
refused "deep::helper(double)|declare target" $cxx --static u.cpp h.cpp -o p
done_testing

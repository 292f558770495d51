# Description: checks that solo-cc --static compiles C++ sources for glibc. If the C++ library is missing, the error must
# name solo-c++.
name=cxx_by_cc
. tests/tools/lib.sh
cat >a.cpp <<'END'
#include <cstdio>
int main() {
  int r = 0;
#pragma omp target map(from : r)
  r = 3;
  std::printf("%d\n", r);
  return r - 3;
}
END
works "$cc" --static a.cpp -o a
says 3 ./a
is_static a
cp a.cpp a.txt
works "$cc" --static -x c++ a.txt -o a
says 3 ./a
cat >b.cpp <<'END'
#include <string>
int main(int argc, char **argv) {
  std::string s(argv[0]);
  int r = argc;
#pragma omp target map(tofrom : r)
  r += 1;
  s += s;
  return s.size() > 100000 ? r : 0;
}
END
refused 'solo-c++' "$cc" --static b.cpp -o b
works "$cxx" --static b.cpp -o b
works ./b
works "$cc" --static -c b.cpp -o b.o
works "$cxx" --static b.o -o b
works ./b
done_testing

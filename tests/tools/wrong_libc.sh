# Description: checks that objects for the wrong C library, or C++ objects that need libstdc++, are rejected by name. C++
# objects that do not need libstdc++ link with musl.
name=wrong_libc
. tests/tools/lib.sh
cat >f.c <<'END'
int f(int x) {
  int r = 0;
#pragma omp target map(from : r)
  r = x + 1;
  return r;
}
END
cat >main.c <<'END'
#include <stdio.h>
int f(int);
int main(void) {
  char text[40];
  sprintf(text, "%d", f(1));
  puts(text);
  return 0;
}
END
works $cc --static -c main.c -o main_musl.o
works $cc --static -c f.c -o f_musl.o
works $cc --static --glibc -c f.c -o f_glibc.o
works $cc --static main_musl.o f_musl.o -o p
says 2 ./p
refused 'f_glibc.o|compiled for glibc|this link is for musl|solo-cc' \
  $cc --static main_musl.o f_glibc.o -o p
refused 'f_musl.o|compiled for musl|this link is for glibc' $cc --static --glibc f_musl.o main.c -o p
works gcc -O2 -D_FORTIFY_SOURCE=2 -c main.c -o fortified.o
refused "fortified.o|__sprintf_chk|musl" $cc --static fortified.o f_musl.o -o p
cat >text.cpp <<'END'
#include <string>
extern "C" int f(int x) { return (int)std::to_string(x).size(); }
END
works g++ -c text.cpp -o text.o
refused 'text.o|libstdc++|solo-c++ --static' $cc --static main_musl.o text.o -o p
refused 'no C++ library headers' $cxx --static --musl text.cpp -o p
cat >bare.cpp <<'END'
extern "C" int printf(const char *, ...);
template <class T> struct Box {
  T v;
  T get() const { return v; }
};
int main() {
  Box<int> b{41};
  int r = 0;
#pragma omp target map(from : r)
  r = b.get() + 1;
  printf("%d\n", r);
  return 0;
}
END
works $cxx --static --musl bare.cpp -o p
says 42 ./p
done_testing

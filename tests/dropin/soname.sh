#!/bin/sh
# Description: checks that a program linked with solo's libomptarget.so contains the soname of LLVM's library and runs
# with either library.
. tests/dropin/lib.sh
soname=libomptarget.so.19.1
cat >load.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *library = dlopen("libomptarget.so", RTLD_NOW);
  int (*count)(void) = library ? (int (*)(void))dlsym(library, "omp_get_num_devices") : 0;
  printf("%d\n", count ? count() > 0 : -1);
  return 0;
}
END
gcc load.c -o load -ldl || fail 'build load'
for folder in "$shared" "$lib/shared-cpu"; do
  cxx 19 -O1 -I"$programs" -DWITH_CXX -x c++ "$programs/cxx.cc" -x c "$programs/main.c" "$programs/unit.c" \
    "$programs/library.c" -x none -L"$folder" -L"$stock" -o program || fail "build with $folder"
  readelf -dW program | grep -q "NEEDED.*\[$soname\]" || fail "$folder: the program needs another soname"
  expect "libsolo.so of $folder" "$programs/wanted" env LD_LIBRARY_PATH="$folder" ./program maps
  if [ -e "$stock/$soname" ]; then
    LD_LIBRARY_PATH=$stock ./program >answers 2>err && grep -v ^inside "$programs/wanted" >sane &&
      grep -v ^inside answers | cmp - sane || fail 'stock prints other answers'
  fi
  [ "$(LD_LIBRARY_PATH=$folder ./load)" = 1 ] || fail "$folder: the library loaded by name does not work"
  for name in $soname libomptarget.so.22.1 libsolo.so.1; do
    [ "$folder/$name" -ef "$folder/libsolo.so" ] || fail "$folder/$name is another library"
  done
done
finish

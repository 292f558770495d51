# Description: install.sh with DESTDIR: the installed tools work from another place; pkg-config and
# CMake find the library; man pages are there; nothing points back into the build folder.
name=install
. tests/tools/lib.sh
works env DESTDIR="$work/stage" sh "$tree/../tools/install.sh" /opt/solo
mv stage/opt/solo moved
cat >f.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = 40 + 2 * !omp_is_initial_device();
  printf("%d\n", r);
  return 0;
}
END
cp f.c f.cpp
works moved/bin/solo-cc --static f.c -o p && says 42 ./p
works moved/bin/solo-cc --static --glibc f.c -o p && says 42 ./p
works moved/bin/solo-c++ --static f.cpp -o p && says 42 ./p
works moved/bin/solo-cc f.c -o p && says 42 ./p
works moved/bin/solo-info --version
for tool in solo-cc solo-c++ solo-link solo-info; do
  [ -f moved/share/man/man1/$tool.1 ] || fail "no man page of $tool"
done
checks=$((checks + 1))
grep -rIl "$tree" moved && fail "an installed text file names the build folder"
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$work/moved/lib/pkgconfig
  cat >api.c <<'END'
#include <omp.h>
int main(void) { return omp_get_num_devices() < 0; }
END
  works sh -c 'gcc -static api.c $(pkg-config --cflags --libs solo) -o q' && works ./q
  works sh -c 'musl-gcc -static api.c $(pkg-config --cflags --libs solo-musl) -o q' && works ./q
fi
if command -v cmake >/dev/null; then
  mkdir project
  cp f.c api.c project
  cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(test C CXX)
find_package(OpenMP REQUIRED)
find_package(solo 0.1 REQUIRED)
add_executable(region f.c)
add_executable(api api.c)
target_link_libraries(api solo::solo)
target_link_libraries(region OpenMP::OpenMP_C)
END
  works cmake -S project -B project/build -DCMAKE_C_COMPILER="$work/moved/bin/solo-cc" \
    -DCMAKE_CXX_COMPILER="$work/moved/bin/solo-c++" \
    -DCMAKE_C_FLAGS=--static -DCMAKE_CXX_FLAGS=--static -DCMAKE_PREFIX_PATH="$work/moved"
  works cmake --build project/build
  says 42 project/build/region
  works project/build/api
fi
done_testing

# Description: uses an installation from pkg-config, CMake, Meson, autoconf and make. No program may have two OpenMP runtimes.
#   packages.sh [all]    all: also FetchContent and solo-cc
all=${1:-no}
name=packages-$all
. tests/tools/lib.sh
for tool in pkg-config cmake meson autoconf make; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
works env DESTDIR="$work/stage" sh "$tree/../tools/install.sh" /opt/solo
mv stage/opt/solo moved
export PKG_CONFIG_PATH=$work/moved/lib/pkgconfig PATH=$work/moved/bin:$PATH OMP_TARGET_OFFLOAD=mandatory
triple=$(clang-19 -dumpmachine)
mkdir many
cat >many/report.h <<'END'
#include <cstdio>
#include <omp.h>
#include <vector>
END
for i in 1 2 3; do
  cat >many/part$i.cpp <<END
#include "report.h"
int part$i(int n) {
  std::vector<int> v(n, $i);
  int *p = v.data(), sum = 0, host = 1;
#pragma omp target teams distribute parallel for map(to : p[0:n]) reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += p[i];
#pragma omp target map(from : host)
  host = omp_is_initial_device();
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += p[i];
  return host ? 0 : sum;
}
END
done
cat >many/main.cpp <<'END'
#include "report.h"
#define X(i) int part##i(int);
X(1) X(2) X(3)
#undef X
int main() {
#define X(i) + part##i(1000)
  std::printf("%d\n", 0 X(1) X(2) X(3));
}
END
cat >c.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int r = 1, s = 0;
#pragma omp target map(from : r)
  r = omp_is_initial_device();
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 100; i++) s += i;
  printf("%d %d\n", r, s);
  return 0;
}
END
echo '#include <omp.h>
int main(void) { return omp_get_num_devices() < 0; }' >api.c
# must have exactly one OpenMP runtime
one_runtime() {
  checks=$((checks + 1))
  if readelf -d "$1" | grep -q 'libomp\.so'; then
    nm "$1" | grep -q ' T __kmpc_fork_call$' && fail "$1 has two OpenMP runtimes"
  else
    nm "$1" | grep -q ' T __kmpc_fork_call$' || fail "$1 has no OpenMP runtime"
  fi
  readelf -d "$1" | grep -q 'libomptarget' && fail "$1 needs stock's libomptarget.so"
}
offload="clang++-19 -O1 -fopenmp -fopenmp-targets=$triple"
[ "$(pkg-config --cflags solo)" = "$(pkg-config --cflags solo-static)" ] || fail "solo and solo-static have different compiler flags"
works sh -c "cd many && $offload -c *.cpp \$(pkg-config --cflags solo)"
works sh -c "$offload many/*.o \$(pkg-config --libs solo) -o p" && says 12000 ./p && one_runtime p
works sh -c "$offload many/*.o \$(pkg-config --libs solo-static) -o p" && says 12000 ./p && is_static p && one_runtime p
works sh -c 'gcc api.c $(pkg-config --cflags --libs solo-static) -o p' && works ./p && is_static p
works sh -c 'musl-gcc api.c $(pkg-config --cflags --libs solo-static-musl) -o p' && works ./p
works sh -c "clang-19 -fopenmp -fopenmp-targets=$triple c.c \$(pkg-config --cflags --libs solo-gpu) -o p" &&
  says '0 4950' ./p && one_runtime p
# a link without -fopenmp
works sh -c "clang-19 -fopenmp -fopenmp-targets=$triple -c c.c -o late.o && clang-19 late.o \$(pkg-config --libs solo) -o q"
works env -u OMP_TARGET_OFFLOAD ./q && { grep -q 'no image is registered' out || fail "missing device code is not reported"; }
count 1 'the interface in the dynamic symbol table' sh -c "nm -D p | grep -c ' T __tgt_target_kernel$'"
cat >Makefile <<'END'
OFFLOAD = -fopenmp -fopenmp-targets=$(shell $(CC) -dumpmachine)
CFLAGS = -O1 $(OFFLOAD) $(shell pkg-config --cflags solo)
LDLIBS = $(shell pkg-config --libs solo)
c: c.c
END
works make -s CC=clang-19 c && says '0 4950' ./c && one_runtime c
rm c
works make -s -f /dev/null CC='solo-cc --static' CFLAGS=-O1 c && says '0 4950' ./c && one_runtime c
rm c
cat >many/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(many C CXX)
find_package(OpenMP REQUIRED)
if(FETCH)
  include(FetchContent)
  FetchContent_Declare(solo SOURCE_DIR ${FETCH} SOURCE_SUBDIR tools/cmake)
  FetchContent_MakeAvailable(solo)
else()
  find_package(solo 0.1 REQUIRED)
endif()
file(GLOB parts *.cpp)
add_executable(many-offload ${parts})
target_link_libraries(many-offload OpenMP::OpenMP_CXX solo::offload)
foreach(kind offload static solo)
  add_executable(c-${kind} ../c.c)
  target_link_libraries(c-${kind} solo::${kind} OpenMP::OpenMP_C)
endforeach()
END
built() { # built FOLDER: builds and runs the programs
  works cmake --build $1 -j 2 && says 12000 $1/many-offload && one_runtime $1/many-offload
  for kind in offload static solo; do
    says '0 4950' $1/c-$kind && one_runtime $1/c-$kind
  done
  is_static $1/c-static
}
works cmake -S many -B b1 -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
  -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && built b1
grep -q fopenmp-targets b1/compile_commands.json || fail "compile_commands.json has no offload options"
works cmake -S many -B b2 -DCMAKE_C_COMPILER=solo-cc -DCMAKE_CXX_COMPILER=solo-c++ \
  -DCMAKE_PREFIX_PATH="$work/moved" && built b2
if [ $all = all ] && [ -z "${SOLO_TREE:-}" ]; then
  works cmake -S many -B b3 -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
    -DFETCH="$tree/.." && works cmake --build b3 -t c-offload c-static && says '0 4950' b3/c-offload &&
    says '0 4950' b3/c-static && one_runtime b3/c-static
fi
mkdir meson
cp c.c api.c meson
cat >meson/meson.build <<'END'
project('m', 'c')
offload = ['-fopenmp', '-fopenmp-targets=' + meson.get_compiler('c').get_id() + 'x']
if get_option('by_solo')
  executable('c', 'c.c')
else
  target = run_command(meson.get_compiler('c').cmd_array() + '-dumpmachine', check : true).stdout().strip()
  flags = ['-fopenmp', '-fopenmp-targets=' + target]
  executable('c', 'c.c', dependencies : dependency('solo'), c_args : flags, link_args : flags)
  executable('in-one', 'c.c', dependencies : dependency('solo-static'), c_args : flags, link_args : flags)
endif
END
sed -i '/^offload/d' meson/meson.build
echo "option('by_solo', type : 'boolean', value : false)" >meson/meson_options.txt
for by in clang-19 solo-cc 'solo-cc --static'; do
  rm -rf m
  option=$([ "$by" = clang-19 ] || echo -Dby_solo=true)
  [ $all = all ] || [ "$by" != solo-cc ] || continue
  works env CC="$by" meson setup m meson $option && works ninja -C m && says '0 4950' m/c && one_runtime m/c
  [ "$by" != clang-19 ] || { says '0 4950' m/in-one && one_runtime m/in-one; }
done
mkdir auto
cp c.c auto
cat >auto/configure.ac <<'END'
AC_INIT([a], [1])
AC_PROG_CC
AC_OPENMP
AC_CHECK_HEADERS([stdio.h omp.h])
AC_CHECK_FUNCS([printf])
AC_CHECK_LIB([m], [cos])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
printf 'c: c.c\n\t@CC@ @CFLAGS@ @OPENMP_CFLAGS@ @LDFLAGS@ c.c @LIBS@ -o c\n' >auto/Makefile.in
(cd auto && works autoconf)
for by in "CC=solo-cc" "CC=solo-cc --static" \
  "CC=clang-19|CFLAGS=-fopenmp -fopenmp-targets=$triple|LIBS=$(pkg-config --libs solo)"; do
  rm -f auto/c
  [ $all = all ] || [ "$by" != CC=solo-cc ] || continue
  (cd auto && OLD=$IFS && IFS='|' && works ./configure -q $by && IFS=$OLD && works make -s &&
    says '0 4950' ./c && one_runtime c && echo "$checks $failed" >counts)
  [ -x auto/c ] || fail "autoconf with $by"
done
done_testing

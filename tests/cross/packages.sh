#!/bin/sh
# Description: a moved installation works in cross builds: pkg-config by PKG_CONFIG_LIBDIR, CMake by a toolchain file, solo-cc
# --host. The programs run under qemu-user.   packages.sh HOST
. tests/cross/lib.sh
for tool in pkg-config cmake; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[ -x build/bin/solo-link ] || { echo "skipped: the tools are not built"; exit 77; }
work=$PWD/$work/packages
rm -rf "$work"
mkdir -p "$work"
DESTDIR=$work/stage sh tools/install.sh /opt/solo >"$work/install.out" 2>&1 || bad "install.sh"
moved=$work/moved
mv "$work/stage/opt/solo" "$moved"
[ -z "$(find "$moved" -xtype l)" ] || bad "dangling links: $(find "$moved" -xtype l)"
stock=$work/libomp # without libomptarget: CMake puts this folder first
mkdir "$stock"
for file in libomp.so libomp.so.5 libomptarget.devicertl.a; do
  [ ! -e "build/sysroot/$host/usr/lib/llvm-19/lib/$file" ] ||
    ln -s "$PWD/build/sysroot/$host/usr/lib/llvm-19/lib/$file" "$stock/$file"
done
offloads=no on_device=0
[ "$machine" = riscv64 ] || { offloads=yes on_device=1; }
cat >"$work/main.c" <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int device = 0, sum = 0;
#pragma omp target map(from : device)
  device = !omp_is_initial_device();
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += i;
  printf("%d %d\n", device, sum);
  return 0;
}
END
says() { # says PROGRAM: checks the result and the device
  check "$1" $qemu -E LD_LIBRARY_PATH="$moved/lib/solo/$host/glibc/shared-cpu:$stock" "$work/$1"
  [ "$(cat "$work/$1.out")" = "$on_device 4950" ] || bad "$1 prints $(cat "$work/$1.out")"
}
export PKG_CONFIG_LIBDIR="$moved/lib/solo/$host/pkgconfig"
unset PKG_CONFIG_PATH
clang="clang-19 --target=$host -O1 -fopenmp"
triple=$machine-unknown-linux-gnu
flags() { pkg-config --cflags --libs "$@"; }

"$moved/bin/solo-cc" --host="$host" --static --glibc -O1 "$work/main.c" -o "$work/cc" 2>"$work/said" || bad "solo-cc"
says cc

if [ $offloads = yes ]; then
  $clang -fopenmp-targets="$triple" "$work/main.c" $(flags solo-static) -o "$work/pc-static" || bad "solo-static"
  says pc-static
  file -b "$work/pc-static" | grep -q 'statically linked' || bad "solo-static: not static"
  [ ! -e "$stock/libomp.so" ] || {
    $clang -fopenmp-targets="$triple" "$work/main.c" $(flags solo) -L"$stock" -o "$work/pc" || bad "solo"
    says pc
    # NEEDED has the library's soname
    $clang -fopenmp-targets="$triple" "$work/main.c" -L"$moved/lib/solo/$host/glibc/shared-cpu" -L"$stock" \
      -o "$work/shared" -lsolo || bad "-lsolo"
    "$host-readelf" -d "$work/shared" | grep -q 'NEEDED.*libsolo.so.1\]' || bad "-lsolo: wrong name"
    says shared
  }
else # no device code
  clang-19 --target="$host" -O1 -fopenmp -c $(pkg-config --cflags solo-static) "$work/main.c" -o "$work/main.o"
  clang-19 --target="$host" "$work/main.o" $(pkg-config --libs solo-static) -lm -o "$work/pc-static" || bad "solo-static"
  says pc-static
fi
pkg-config --exists solo-gpu && bad "solo-gpu: there are no drivers for $host"

cat >"$work/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $machine)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET $host)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
END
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(cross C)
find_package(solo 0.1 REQUIRED)
add_executable(cmake-static main.c)
target_link_libraries(cmake-static solo::static m)
if(OFFLOAD)
  add_executable(cmake-offload main.c)
  target_link_libraries(cmake-offload solo::offload)
endif()
END
options="-DCMAKE_TOOLCHAIN_FILE=$work/toolchain.cmake -DCMAKE_PREFIX_PATH=$moved"
[ $offloads = no ] || [ ! -e "$stock/libomp.so" ] || options="$options -DOFFLOAD=ON -DCMAKE_EXE_LINKER_FLAGS=-L$stock"
check cmake-configure cmake -S "$work" -B "$work/b" $options
check cmake-build cmake --build "$work/b"
for kind in static offload; do
  [ -f "$work/b/cmake-$kind" ] || continue
  cp "$work/b/cmake-$kind" "$work/"
  says cmake-$kind
done
[ -f "$work/cmake-static" ] || bad "CMake built no program"
# a machine that solo is not built for is reported
check cmake-none sh -c "cmake -S '$work' -B '$work/none' -DCMAKE_PREFIX_PATH='$moved' -DCMAKE_SYSTEM_NAME=Linux \
  -DCMAKE_SYSTEM_PROCESSOR=s390x -DCMAKE_C_COMPILER=clang-19 2>&1 | grep 'not built for s390x'"

# --uninstall also removes the libraries of other machines
sh tools/install.sh --uninstall "$moved" >"$work/uninstall.out" || bad "--uninstall"
[ -z "$(find "$moved" -type f -o -type l)" ] || bad "left behind: $(find "$moved" -type f -o -type l | head -n 3)"
finish

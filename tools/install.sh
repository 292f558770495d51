#!/bin/sh
# Installs what ninja built: install.sh PREFIX (DESTDIR in the environment is put before it).
#   bin/            solo-cc solo-c++ solo-fc solo-link solo-pack solo-info solo-server
#   libexec/solo/   clang-linker-wrapper: solo-link, as clang finds it
#   lib/solo/LIBC/  libraries of each C library; beside those of other runtimes they would be
#                   taken for them, so solo-cc, pkg-config and CMake name this folder
#                   shared/, shared-cpu/ in them: libsolo.so as libomptarget.so.19.1 and .22.1
#   lib/solo/device/  device code for GPUs, as bitcode
#   lib/solo/simt/, lib/solo/musl-simt/   the virtual GPU's translator and static library
#   include/solo/   omp.h ompx.h omp-tools.h solo.h ...
#   lib/pkgconfig/, lib/cmake/solo/, share/man/man1/, share/doc/solo/
set -eu
cd "$(dirname "$0")/.."
prefix=${1:?usage: install.sh PREFIX}
root=${DESTDIR:-}$prefix
case $prefix in /*) ;; *) echo "install.sh: PREFIX must be an absolute path: $prefix" >&2; exit 2 ;; esac
[ -x build/bin/solo-cc ] || { echo "install.sh: nothing is built; run ninja first" >&2; exit 1; }

version=$(sed -n 's/^#define SOLO_VERSION_[A-Z]* *\([0-9]*\)/\1/p' abi/include/solo.h | paste -sd.)

put() { # put MODE FILE... FOLDER
  mode=$1
  shift
  for to; do :; done
  mkdir -p "$root/$to"
  while [ $# -gt 1 ]; do
    cp -f "$1" "$root/$to/"
    chmod "$mode" "$root/$to/$(basename "$1")"
    shift
  done
}

for tool in solo-cc solo-link solo-pack solo-info solo-server; do
  [ -f build/bin/$tool ] && put 755 build/bin/$tool bin
done
ln -sf solo-cc "$root/bin/solo-c++"
ln -sf solo-cc "$root/bin/solo-fc"
mkdir -p "$root/libexec/solo"
ln -sf ../../bin/solo-link "$root/libexec/solo/clang-linker-wrapper"

# static programs with the devices of a device server
[ -f build/lib/musl-remote/libsolo.a ] && put 644 build/lib/musl-remote/libsolo.a \
  build/lib/musl-remote/libsolo_linked.a lib/solo/musl-remote

libcs=
for libc in glibc musl; do
  folder=build/lib/$libc
  [ -d $folder ] || continue
  for file in "$folder"/*.a "$folder"/*.bc "$folder"/*.ld; do
    [ -f "$file" ] && put 644 "$file" "lib/solo/$libc"
  done
  for file in "$folder"/*.so "$folder"/*.so.*; do
    if [ -L "$file" ]; then cp -Pf "$file" "$root/lib/solo/$libc/"
    elif [ -f "$file" ]; then put 755 "$file" "lib/solo/$libc"; fi
  done
  # to link against where there is no driver; libomptarget.a may name them (--driver-binding=needed)
  [ -d $folder/stubs ] && put 644 $folder/stubs/* lib/solo/$libc/stubs
  # libsolo.so under libomptarget's names, in folders of their own: the linker prefers .so to .a
  for shared in shared shared-cpu; do
    [ -d $folder/$shared ] || continue
    put 755 $folder/$shared/libsolo.so lib/solo/$libc/$shared
    cp -Pf $folder/$shared/libomptarget.so* "$root/lib/solo/$libc/$shared/"
  done
  [ -f $folder/libsolo.a ] && libcs="$libcs $libc"
done
[ -f build/lib/flang/loops.bc ] && put 644 build/lib/flang/loops.bc lib/solo/flang
if [ -f build/lib/device/libsolo_device.a ]; then
  put 644 build/lib/device/*.bc build/lib/device/libsolo_device.a lib/solo/device
  [ -d build/lib/device/rocm ] && put 644 build/lib/device/rocm/* lib/solo/device/rocm
  [ -d build/lib/device/22 ] && put 644 build/lib/device/22/* lib/solo/device/22
fi
if [ -f build/lib/simt/translate.sh ]; then # the virtual GPU
  put 644 build/lib/simt/* lib/solo/simt
  [ -d build/lib/musl-simt ] && put 644 build/lib/musl-simt/libsolo.a build/lib/musl-simt/libsolo_atomic.a \
    lib/solo/musl-simt
fi
put 644 build/include/* include/solo
put 644 tools/man/*.1 share/man/man1
put 644 LICENSE share/doc/solo
for file in README.md CHANGELOG.md; do
  [ -f $file ] && put 644 $file share/doc/solo
done

# Found relative to themselves, so that an installation can be moved.
mkdir -p "$root/lib/pkgconfig" "$root/lib/cmake/solo"
for libc in $libcs; do
  name=solo
  [ "$libc" = glibc ] || name=solo-$libc
  cat >"$root/lib/pkgconfig/$name.pc" <<END
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib/solo/$libc
includedir=\${prefix}/include/solo

Name: $name
Description: OpenMP target offload runtime, statically linkable ($libc)
Version: $version
Cflags: -I\${includedir}
Libs: -L\${libdir} -lsolo -lsolo_atomic -lpthread
END
done
cat >"$root/lib/cmake/solo/solo-config.cmake" <<'END'
# find_package(solo) gives:
#   solo::solo   the library with its headers (libsolo.a for glibc; includes host threads)
#   SOLO_CC, SOLO_CXX, SOLO_FC, SOLO_LINK, SOLO_INFO   the tools. To compile and link target regions, make
#   solo-cc the compiler: cmake -DCMAKE_C_COMPILER=solo-cc -DCMAKE_CXX_COMPILER=solo-c++
get_filename_component(SOLO_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(SOLO_CC "${SOLO_PREFIX}/bin/solo-cc")
set(SOLO_CXX "${SOLO_PREFIX}/bin/solo-c++")
set(SOLO_FC "${SOLO_PREFIX}/bin/solo-fc")
set(SOLO_LINK "${SOLO_PREFIX}/bin/solo-link")
set(SOLO_INFO "${SOLO_PREFIX}/bin/solo-info")
set(SOLO_INCLUDE_DIR "${SOLO_PREFIX}/include/solo")
set(SOLO_LIBRARY "${SOLO_PREFIX}/lib/solo/glibc/libsolo.a")
set(SOLO_LIBRARY_MUSL "${SOLO_PREFIX}/lib/solo/musl/libsolo.a")
if(EXISTS "${SOLO_LIBRARY}" AND NOT TARGET solo::solo)
  find_package(Threads REQUIRED)
  add_library(solo::solo STATIC IMPORTED)
  set_target_properties(solo::solo PROPERTIES
    IMPORTED_LOCATION "${SOLO_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SOLO_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES
      "${SOLO_PREFIX}/lib/solo/glibc/libsolo_atomic.a;Threads::Threads")
endif()
END
cat >"$root/lib/cmake/solo/solo-config-version.cmake" <<END
set(PACKAGE_VERSION "$version")
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
END
echo "installed solo $version in $root (variants:$libcs)"

#!/bin/sh
# install.sh PREFIX              installs the build into DESTDIR/PREFIX
# install.sh --uninstall PREFIX  removes the files of lib/solo/manifest
#   libexec/solo/   clang-linker-wrapper, a link to solo-link
#   lib/solo/LIBC/  libraries of each C library, separate from other runtimes' libraries of the same
#                   name; shared/, shared-cpu/: libsolo.so.1 and its links
#   lib/solo/device/  device code for GPUs, as bitcode
#   lib/solo/simt/, lib/solo/musl-simt/   the virtual GPU's translator and static library
#   bin/, include/solo/, lib/pkgconfig/, lib/cmake/solo/, share/man/man1/ and others
set -eu
cd "$(dirname "$0")/.."
remove=no
[ "${1:-}" != --uninstall ] || { remove=yes; shift; }
prefix=${1:?usage: install.sh [--uninstall] PREFIX}
root=${DESTDIR:-}$prefix
manifest=$root/lib/solo/manifest
case $prefix in /*) ;; *) echo "install.sh: PREFIX must be an absolute path: $prefix" >&2; exit 2 ;; esac
remove_empty_folders() { # only solo's
  for folder in share/solo lib/solo libexec/solo include/solo lib/cmake/solo share/doc/solo share/modulefiles/solo; do
    find "$root/$folder" -depth -type d -exec rmdir {} + 2>/dev/null || :
  done
}
if [ $remove = yes ]; then
  [ -f "$manifest" ] || { echo "install.sh: no solo in $root: $manifest is missing" >&2; exit 1; }
  sort -r "$manifest" | while read -r file; do rm -f "$root/$file"; done
  rm -f "$manifest"
  remove_empty_folders
  echo "removed solo from $root"
  exit 0
fi
[ -x build/bin/solo-cc ] || { echo "install.sh: nothing is built; run ninja first" >&2; exit 1; }

version=$(sh tools/version.sh)

mkdir -p "$root/lib/solo"
: >"$manifest.new"
record() { echo "$1" >>"$manifest.new"; }
put() { # put MODE FILE... FOLDER
  mode=$1
  shift
  for to; do :; done
  mkdir -p "$root/$to"
  while [ $# -gt 1 ]; do
    rm -f "$root/$to/$(basename "$1")" # cp would follow an old link
    cp "$1" "$root/$to/"
    chmod "$mode" "$root/$to/$(basename "$1")"
    record "$to/$(basename "$1")"
    shift
  done
}

for tool in solo-cc solo-link solo-pack solo-info solo-server \
  solo-server-openmpi solo-server-mpich solo-info-openmpi solo-info-mpich; do
  [ -f build/bin/$tool ] && put 755 build/bin/$tool bin
done
link() { # link TARGET FOLDER/NAME
  mkdir -p "$root/$(dirname "$2")"
  ln -sf "$1" "$root/$2"
  record "$2"
}
link solo-cc bin/solo-c++
link solo-cc bin/solo-fc
link ../../bin/solo-link libexec/solo/clang-linker-wrapper

# for programs with a device server
[ -f build/lib/musl-remote/libsolo.a ] && put 644 build/lib/musl-remote/libsolo.a \
  build/lib/musl-remote/libsolo_linked.a lib/solo/musl-remote

[ -f build/lib/glibc-remote/libomptarget.a ] && put 644 build/lib/glibc-remote/libomptarget.a \
  lib/solo/glibc-remote

# for programs with devices of other MPI ranks
for mpi in openmpi mpich; do
  [ -f build/lib/$mpi/libomptarget.a ] && put 644 build/lib/$mpi/libomptarget.a build/lib/$mpi/libsolo.a \
    lib/solo/$mpi
done

put_shared() { # put_shared FOLDER TO: libsolo.so under all its names
  put 755 "$1/libsolo.so" "$2"
  mv -f "$root/$2/libsolo.so" "$root/$2/libsolo.so.1"
  record "$2/libsolo.so.1"
  link libsolo.so.1 "$2/libsolo.so"
  for name in "$1"/libomptarget.so*; do # libomptarget.so, for linkers, is not a link
    if [ -L "$name" ]; then link libsolo.so.1 "$2/$(basename "$name")"
    else put 755 "$name" "$2"; fi
  done
  [ -f "$1/libLLVMOffload.so.22.1" ] || return 0
  put 755 "$1/libLLVMOffload.so.22.1" "$2"
  link libLLVMOffload.so.22.1 "$2/libLLVMOffload.so"
}
put_libraries() { # put_libraries FOLDER TO: for one machine and C library
  for file in "$1"/*.a "$1"/*.o "$1"/*.bc "$1"/*.ld "$1"/*.list; do
    [ -f "$file" ] && put 644 "$file" "$2"
  done
  for file in "$1"/*.so "$1"/*.so.*; do
    if [ -L "$file" ]; then link "$(readlink "$file")" "$2/$(basename "$file")"
    elif [ -f "$file" ]; then put 755 "$file" "$2"; fi
  done
  # stub drivers for links without an installed driver, if libomptarget.a refers to drivers (--driver-binding=needed)
  [ -d "$1/stubs" ] && put 644 "$1"/stubs/* "$2/stubs"
  # separate folders: the linker prefers .so to .a
  for shared in shared shared-cpu; do
    [ -d "$1/$shared" ] && put_shared "$1/$shared" "$2/$shared"
  done
  return 0
}
variants=
for place in '' $(cd build/lib && ls -d ./*-linux-gnu/ 2>/dev/null); do # other machines: configure.sh --host
  place=$(echo "$place" | tr -d ./)
  for libc in glibc musl; do
    folder=${place:+$place/}$libc
    [ -f "build/lib/$folder/libsolo.a" ] || continue
    put_libraries "build/lib/$folder" "lib/solo/$folder"
    variants="$variants $folder"
  done
done
[ -f build/lib/flang/loops.bc ] && put 644 build/lib/flang/loops.bc lib/solo/flang
if [ -f build/lib/device/libsolo_device.a ]; then
  put 644 build/lib/device/*.bc build/lib/device/libsolo_device.a build/lib/device/fortran.list lib/solo/device
  [ -d build/lib/device/rocm ] && put 644 build/lib/device/rocm/* lib/solo/device/rocm
  [ -d build/lib/device/19 ] && put 644 build/lib/device/19/* lib/solo/device/19
  [ -d build/lib/device/22 ] && put 644 build/lib/device/22/* lib/solo/device/22
fi
if [ -f build/lib/simt/translate.sh ]; then
  put 644 $(find build/lib/simt -maxdepth 1 -type f) lib/solo/simt
  [ -d build/lib/simt/19 ] && put 644 build/lib/simt/19/* lib/solo/simt/19
  chmod 755 "$root/lib/solo/simt/translate.sh"
  [ -d build/lib/musl-simt ] && put 644 build/lib/musl-simt/libsolo.a build/lib/musl-simt/libsolo_atomic.a \
    lib/solo/musl-simt
fi
put 644 build/include/*.h include/solo
put 644 build/include/language/*.h include/solo/language
put 644 build/include/language/hip/*.h include/solo/language/hip
for page in tools/man/*.1; do
  case $page in *-openmpi.1 | *-mpich.1) [ -f "build/bin/$(basename "$page" .1)" ] || continue ;; esac
  put 644 "$page" share/man/man1
done
put 644 tools/solo-gdb.py tools/solo-trace.py share/solo
mkdir -p "$root/lib/systemd/user"
sed "s|^ExecStart=[^ ]*/|ExecStart=$prefix/bin/|" tools/solo-server@.service >"$root/lib/systemd/user/solo-server@.service"
record lib/systemd/user/solo-server@.service
mkdir -p "$root/share/modulefiles/solo"
sed "s|@VERSION@|$version|" tools/modulefile >"$root/share/modulefiles/solo/$version"
record "share/modulefiles/solo/$version"
if [ -d build/docs/html ]; then # ninja docs
  (cd build/docs/html && find . -type f ! -name .buildinfo | sed 's|^\./||') | while read -r page; do
    folder=share/doc/solo/html/$(dirname "$page")
    put 644 "build/docs/html/$page" "${folder%/.}"
  done
fi
put 644 docs/troubleshooting.md share/solo # solo-info --explain
put 644 LICENSE share/doc/solo
for file in README.md CHANGELOG.md; do
  [ -f $file ] && put 644 $file share/doc/solo
done

# Relative paths allow moving an installation. Files for another machine are in lib/solo/HOST/pkgconfig
# (PKG_CONFIG_LIBDIR).
pc() { # pc NAME DESCRIPTION LIBS, for $machine (empty: this machine) and $libc
  if [ -n "$machine" ]; then folder=lib/solo/$machine/pkgconfig up=../../../..; else folder=lib/pkgconfig up=../..; fi
  mkdir -p "$root/$folder"
  record "$folder/$1.pc"
  cat >"$root/$folder/$1.pc" <<END
prefix=\${pcfiledir}/$up
libdir=\${prefix}/lib/solo/${machine:+$machine/}$libc
includedir=\${prefix}/include/solo

Name: $1
Description: $2
Version: ${version%%-*}
Cflags: -I\${includedir}
Libs: $3
END
}
for variant in $variants; do
  libc=${variant##*/} machine=
  [ "$variant" = "$libc" ] || machine=${variant%/*}
  if [ "$libc" = musl ]; then
    pc solo-static-musl 'OpenMP target offload and host threads in one static program (musl)' \
      '-static -L${libdir} -lsolo -lsolo_atomic -lpthread'
    continue
  fi
  # -fopenmp adds libomp. -L twice: some build systems replace -L and -l by a path; -Wl,-L is for the -lomptarget of the
  # compiler.
  offload='-fopenmp -L${libdir} -Wl,-L${libdir} -lomptarget -Wl,--export-dynamic-symbol-list=${libdir}/interface.list'
  pc solo 'OpenMP target offload beside the libomp of the compiler' "$offload"
  [ -n "$machine" ] || pc solo-gpu 'The same, with the drivers of the GPUs that are installed' \
    "$offload"' -Wl,--push-state,--no-as-needed,${libdir}/libsolo_drv.so,--pop-state -Wl,-rpath,${libdir}'
  pc solo-static 'OpenMP target offload and host threads in one static program (never beside libomp)' \
    '-static -B${prefix}/libexec/solo -L${libdir} -lsolo -lsolo_atomic -lpthread'
done
put 644 tools/cmake/solo-config.cmake lib/cmake/solo
record lib/cmake/solo/solo-config-version.cmake
cat >"$root/lib/cmake/solo/solo-config-version.cmake" <<END
set(PACKAGE_VERSION "${version%%-*}")
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
END
# remove files of an older version
if [ -f "$manifest" ]; then
  sort -r "$manifest" | while read -r file; do
    grep -qxF -- "$file" "$manifest.new" || rm -f "$root/$file"
  done
  remove_empty_folders
fi
mv -f "$manifest.new" "$manifest"
echo "installed solo $version in $root (variants:$variants)"

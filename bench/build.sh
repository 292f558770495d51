#!/bin/sh
# Builds one program for one contestant:  bench/build.sh CONTESTANT SOURCE OUTPUT
# Where that cannot be done here (a compiler or library is missing), OUTPUT becomes a script that ends
# with status 77 and OUTPUT.log says why; solo-bench names it and leaves the contestant out.
set -u
who=$1 source=$2 out=$3
log=$out.log
flags='-O2 -g -I. -D_DEFAULT_SOURCE -Wno-openmp-mapping'
target='-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu'
libs='-lpthread -lm'
llvm=/usr/lib/llvm-19/lib
mkdir -p "$(dirname "$out")"

compile() {
  case $who in
  static) build/bin/solo-cc --static $flags "$source" -o "$out" $libs ;;
  dropin)
    clang-19 $target $flags "$source" -o "$out" -Lbuild/lib/glibc -Wl,-rpath,$llvm $libs || return 1
    if readelf -d "$out" | grep -q 'NEEDED.*libomptarget'; then
      echo "$out needs a libomptarget.so: solo's libomptarget.a was not taken"
      return 1
    fi ;;
  peer) clang-19 $target $flags "$source" -o "$out" -L$llvm -Wl,-rpath,$llvm $libs ;;
  peer22) clang-22 $target $flags "$source" -o "$out" -Wl,-rpath,/usr/lib/llvm-22/lib $libs ;;
  host) clang-19 -fopenmp $flags "$source" -o "$out" -Wl,-rpath,$llvm $libs ;;
  gomp) gcc -fopenmp -foffload=disable -O2 -g -I. -D_DEFAULT_SOURCE "$source" -o "$out" $libs ;;
  limit)
    case $source in
    */q_startup.c) musl-gcc -static -O2 -w "$source" -o "$out" ;;
    *) clang-19 $flags -Wno-source-uses-openmp "$source" -o "$out" $libs ;;
    esac ;;
  esac
}

if compile >"$log" 2>&1; then exit 0; fi
printf '#!/bin/sh\nexit 77\n' >"$out"
chmod +x "$out"

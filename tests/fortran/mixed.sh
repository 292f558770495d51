#!/bin/sh
# Description: regions of Clang and flang in one program, linked by either driver.
#   mixed.sh FORM-CLANG      static-19, static-22, dynamic-22 (a dynamic link registers regions of one LLVM version), or
# shared-19: Fortran in a shared library
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
form=${1%-*} clang=clang-${1#*-}
command -v "$clang" >/dev/null || skip "no $clang"
exe=$out/mixed.$1
modules=$exe.modules
mkdir -p "$modules"
if [ "$form" = shared ]; then
  build/bin/solo-fc --dynamic -O2 -fPIC -shared -J "$modules" tests/fortran/shared_library.f90 -o "$exe.so"
  build/bin/solo-cc --clang="$clang" -O2 tests/fortran/shared_main.c "$exe.so" -o "$exe"
  OMP_TARGET_OFFLOAD=mandatory "$exe" || { echo "failed: status $?"; exit 1; }
  exit 0
fi
flag=
[ "$form" = static ] && flag='--static --glibc'
build/bin/solo-cc --clang="$clang" $flag -O2 -c tests/fortran/mixed_c.c -o "$exe.c.o"
compile "$form" "$exe.o" -O2 -c tests/fortran/mixed.f90
compile "$form" "$exe" "$exe.o" "$exe.c.o"
check_form "$form" "$exe"
for threads in 1 2 4 16; do
  text=$(OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=$threads "$exe" 2>&1) && [ -z "$text" ] ||
    { echo "failed: mixed $1, $threads threads: $text"; exit 1; }
done

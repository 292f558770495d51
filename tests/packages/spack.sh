#!/bin/sh
# Description: runs install() of Spack's recipe on the current commit with a replacement of Spack's functions
# (spack_recipe.py) and without numbered LLVM tools in PATH. Then builds programs.
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD
work=$PWD/build/tests/spack
rm -rf "$work"
mkdir -p "$work/bin"
sh ports/packages/tarball.sh "$work" >/dev/null || exit 1
tar -xzf "$work"/solo-*.tar.gz -C "$work"
version=$(basename "$work"/solo-*.tar.gz .tar.gz)
# a PATH without numbered tools
for folder in /usr/bin /bin; do
  for program in "$folder"/*; do
    case $program in */*-19 | */*-22 | */musl-gcc) continue ;; esac
    [ -e "$work/bin/${program##*/}" ] || ln -s "$program" "$work/bin/${program##*/}"
  done
done
cd "$work/$version" || exit 1
settings=$(PATH=$work/bin python3 "$tree/tests/packages/spack_recipe.py" "$tree/ports/packages/spack/package.py" \
  "${version#solo-}" "$work/prefix" 2>"$work/error") ||
  { echo "failed: install()"; tail -n 5 "$work/error"; tail -n 10 spack.log; exit 1; }
fail=0
[ -s "$work/prefix/lib/solo/device/fortran.list" ] || { echo "failed: no list of Fortran's functions for GPUs"; fail=1; }
for how in '' '--static --glibc'; do
  # shellcheck disable=SC2086 # words
  env PATH="$work/bin" $settings "$work/prefix/bin/solo-cc" $how -O2 examples/zaxpy.c -o zaxpy -lm &&
    LD_LIBRARY_PATH=/usr/lib/llvm-19/lib OMP_TARGET_OFFLOAD=mandatory ./zaxpy >out 2>&1
  grep -q ': right$' out || { echo "failed: solo-cc $how: $(cat out)"; fail=1; }
done
echo 'int main() { int r = 1;
#pragma omp target map(from : r)
  r = 0;
  return r; }' >r.cpp
env PATH="$work/bin" $settings "$work/prefix/bin/solo-c++" --static r.cpp -o r && ./r || { echo "failed: solo-c++"; fail=1; }
exit $fail

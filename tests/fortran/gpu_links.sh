#!/bin/sh
# Description: solo-fc for GPUs: objects, archives, dynamic programs, real targets, source lines of rejected
# functions.
#   gpu_links.sh GPU
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
gpu=$1
command -v clang-22 >/dev/null || skip "no clang-22"
[ -f build/lib/simt/translate.sh ] || skip "the virtual GPU was not configured"
exe=$out/gpu_links.$gpu
modules=$exe.modules
mkdir -p "$modules"
fail() { echo "failed: $*"; exit 1; }
says() { grep -q -e "$2" "$1" || { cat "$1"; fail "no '$2' in the message"; }; }
OMP_TARGET_OFFLOAD=mandatory
export OMP_TARGET_OFFLOAD

for unit in unit_a unit_b; do
  compile static "$exe.$unit.o" -O1 --targets="simt-$gpu" -c "tests/fortran/$unit.f90"
done
build/bin/solo-cc --targets=simt-gfx90a -c tests/fortran/mixed_c.c -o "$exe.c.o"
compile static "$exe" -O1 -w --targets=simt-gfx90a tests/fortran/mixed.f90 "$exe.c.o"
"$exe" || fail "a program with an object of Clang 19: status $?"
rm -f "$exe.a"
ar rcs "$exe.a" "$exe.unit_a.o" "$exe.unit_b.o"
compile static "$exe.o" -O1 --targets="simt-$gpu" -c tests/fortran/units.f90
compile static "$exe" -O1 --targets="simt-$gpu" "$exe.o" "$exe.a"
"$exe" || fail "an archive: status $?"
if [ "$libomp" ] && [ "$gpu" = sm_90 ] && PATH=$PATH:/usr/local/cuda/bin command -v ptxas >/dev/null; then
  for source in examples/diffusion.f90 tests/fortran/constructs.f90; do
    compile dynamic "$exe" -O2 -g -w --targets=sm_90 "$source" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "a link for NVIDIA"; }
  done
fi
compile static "$exe.o" -O2 -w -cpp -DARRAY --targets="simt-$gpu" -c tests/fortran/reduced.f90
grep -q solo_parallel_reduce "$exe.o" || fail "a reduction of an array is not corrected"
compile static "$exe.o" -O2 -w -cpp --targets="simt-$gpu" -c tests/fortran/reduced.f90
grep -q solo_parallel_reduce "$exe.o" && fail "a reduction of a scalar is slow"
if [ "$libomp" ]; then
  sh tests/fortran/gpu.sh --source serial_code critical red_arrays >"$exe.f90"
  compile dynamic "$exe" -O2 -w -fopenmp-version=52 --targets=gfx90a "$exe.f90" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "a link for AMD"; }
  for level in -O0 -O2; do
    compile dynamic "$exe" $level -w -cpp -DARRAY --targets=gfx90a tests/fortran/reduced.f90 >"$exe.log" 2>&1 || { cat "$exe.log"; fail "a link for AMD"; }
  done
  compile dynamic "$exe" -O1 --targets="simt-$gpu" tests/fortran/reduction.f90
  "$exe" || fail "a dynamic program: status $?"
fi

cat >"$exe.f90" <<'END'
program missing
  real :: x(3)
  !$omp target map(tofrom: x)
  x = 1
  call random_number(x)
  !$omp end target
end program
END
compile static "$exe" --targets="simt-$gpu" "$exe.f90" 2>"$exe.log" && fail "random_number in a kernel: success"
says "$exe.log" "gpu_links.$gpu.f90:5: 'randomnumber'"
cat >"$exe.f90" <<'END'
program unit
  integer :: n = 7
  !$omp target map(to: n)
  write (*, *) 'before'
  write (n, *) 'file'
  !$omp end target
end program
END
compile static "$exe" --targets="simt-$gpu" "$exe.f90"
"$exe" >"$exe.log" 2>&1 && fail "write to unit 7 in a kernel: success"
says "$exe.log" "gpu_links.$gpu.f90:5: write: unit 7 is not available"
cat >"$exe.f90" <<'END'
program stops
  integer :: n = 3, i
  !$omp target map(to: n)
  print *, ('0123456789', i = 1, 300)
  if (n == 3) error stop 'three'
  !$omp end target
end program
END
compile static "$exe" --targets="simt-$gpu" "$exe.f90"
"$exe" >"$exe.log" 2>&1 && fail "ERROR STOP in a kernel: success"
says "$exe.log" 'ERROR STOP: three'
[ "$(grep 0123456789 "$exe.log" | tr -cd 0-9 | wc -c)" = 3000 ] || fail "digits of a long line are missing"
for example in saxpy diffusion; do
  compile static "$exe" -O2 --targets="simt-$gpu" "examples/$example.f90"
  "$exe" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "$example: status $?"; }
done

#!/bin/sh
# Description: the programs of gpu/ on a virtual GPU print what they print on the CPU device. All are one program.
#   gpu.sh GPU LEVEL [NAME...]      GPU: sm_90, gfx90a ...; NAME: only these programs
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
gpu=$1 level=$2
shift 2
command -v clang-22 >/dev/null || skip "no clang-22"
[ -f build/lib/simt/translate.sh ] || skip "the virtual GPU was not configured"
exe=$out/gpu.$gpu.$level
modules=$exe.modules
mkdir -p "$modules"
if [ $# = 0 ]; then
  set -- $(cd tests/fortran/gpu && ls ./*.f90 | sed 's/^..//; s/\.f90$//')
  case $gpu in # without the programs that flang cannot compile for AMD
  gfx*) set -- $(cd tests/fortran/gpu && grep -L 'Not for AMD' ./*.f90 | sed 's/^..//; s/\.f90$//') ;;
  esac
fi
: >"$exe.f90"
for name; do cat "tests/fortran/gpu/$name.f90" >>"$exe.f90"; done
{
  echo 'program all'
  for name; do echo "  call test_$name"; done
  echo 'end program'
} >>"$exe.f90"
flags="-$level -w -fopenmp-version=52"
fail() { echo "failed: $*"; exit 1; }
compile static "$exe.cpu" $flags "$exe.f90" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "no program for the CPU"; }
compile static "$exe.gpu" $flags --targets="simt-$gpu" "$exe.f90" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "no program for $gpu"; }
for device in cpu gpu; do
  OMP_TARGET_OFFLOAD=mandatory "$exe.$device" >"$exe.$device.txt" 2>"$exe.log" ||
    { status=$?; tail -1 "$exe.$device.txt"; cat "$exe.log"; fail "$device: status $status, the program after the last line"; }
done
for device in cpu gpu; do sort "$exe.$device.txt" >"$exe.$device.sorted"; done # PRINT in kernels is not buffered with the host's
diff "$exe.cpu.sorted" "$exe.gpu.sorted" || fail "$gpu prints (>) other results than the CPU (<)"
for name; do grep -q "^ $name" "$exe.gpu.txt" || fail "$name prints nothing"; done
echo "$# programs print equal results on the CPU and on $gpu"

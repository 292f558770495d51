#!/bin/sh
# Description: the programs of gpu/ print the same on a virtual GPU and on the CPU device.
#   gpu.sh GPU LEVEL [NAME...]      GPU: sm_90, gfx90a ...; LEVEL: O1 ..., checks
#   gpu.sh --source [NAME...]       prints the merged program
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
source_of() { # source_of <name...>
  (cd tests/fortran/gpu && for name; do cat "$name.f90"; done)
  echo 'program all'
  for name; do echo "  call test_$name"; done
  echo 'end program'
}
names_of() { # names_of <text>: programs without it
  (cd tests/fortran/gpu && grep -L "$1" ./*.f90 | sed 's/^..//; s/\.f90$//')
}
if [ "$1" = --source ]; then
  shift
  [ $# -gt 0 ] || set -- $(names_of 'Not on a real GPU')
  source_of "$@"
  exit
fi
gpu=$1 level=$2
shift 2
checks= all=no
[ $# -gt 0 ] || all=yes
[ "$level" != checks ] || { level=O1 checks='-g --simt-checks'; }
command -v clang-22 >/dev/null || skip "no clang-22"
[ -f build/lib/simt/translate.sh ] || skip "the virtual GPU was not configured"
exe=$out/gpu.$gpu.$level${checks:+.checks}
modules=$exe.modules
mkdir -p "$modules"
if [ $all = yes ]; then
  case $gpu in # without the programs that flang cannot compile for AMD
  gfx*) set -- $(names_of "Not for AMD${checks:+\\|Not for checks}") ;;
  *) set -- $(names_of "Not for NVIDIA${checks:+\\|Not for checks}") ;;
  esac
fi
source_of "$@" >"$exe.f90"
flags="-$level -w -fopenmp-version=52"
fail() { echo "failed: $*"; exit 1; }
compile static "$exe.cpu" $flags "$exe.f90" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "no program for the CPU"; }
compile static "$exe.gpu" $flags $checks --targets="simt-$gpu" "$exe.f90" >"$exe.log" 2>&1 || { cat "$exe.log"; fail "no program for $gpu"; }
for device in cpu gpu; do
  OMP_TARGET_OFFLOAD=mandatory "$exe.$device" >"$exe.$device.txt" 2>"$exe.log" ||
    { status=$?; tail -1 "$exe.$device.txt"; cat "$exe.log"; fail "$device: status $status, the program after the last line"; }
done
! grep 'simt: ' "$exe.log" || fail "$gpu: a report"
for device in cpu gpu; do sort "$exe.$device.txt" >"$exe.$device.sorted"; done # PRINT in kernels is not buffered with the host's
diff "$exe.cpu.sorted" "$exe.gpu.sorted" || fail "$gpu prints (>) other results than the CPU (<)"
for name; do grep -q "^ $name" "$exe.gpu.txt" || fail "$name prints nothing"; done
echo "$# programs print equal results on the CPU and on $gpu"

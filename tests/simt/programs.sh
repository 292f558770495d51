#!/bin/sh
# Description: programs of tests/programs, and of tests/simt, with real device code on the virtual GPU
# behind the simulated driver of TARGET, offloading mandatory. Prints a line per program: right, or
# why it is left out; what is neither is a failure. Where there is PROGRAM's name with .expected, that is
# what it has to print.
#   programs.sh TARGET VERSION PROGRAM...      VERSION: of Clang; PROGRAM: a source file's path
set -u
target=$1 version=$2
shift 2
command -v "clang-$version" >/dev/null || { echo "skipped: no clang-$version"; exit 77; }
command -v clang-19 >/dev/null || { echo "skipped: no clang-19 (its device runtime)"; exit 77; }
case $target in
sm_*) vendor=nvptx ;;
*) vendor=amdgpu ;;
esac
[ -f "/usr/lib/llvm-19/lib/libomptarget-$vendor-$target.bc" ] ||
  { echo "skipped: no device runtime for $target (libomp-19-dev)"; exit 77; }
[ -f build/lib/glibc/libomptarget.a ] || { echo "skipped: no glibc library was configured"; exit 77; }
why_not() { # why_not <name>
  case $1 in
  fork.c | fork_hostile.c) echo "a GPU driver does not follow into a child: under mandatory the child ends, as it must" ;;
  large_maps.c) echo "it counts page faults of the CPU device's memory" ;;
  large_range.c) echo "it counts what a tool is told, which dynamic programs find through libomp only" ;;
  last.c) echo "its kernel waits for a word of the host, which a GPU without unified memory has not" ;;
  usm.c) echo "it requires unified shared memory, which the simulated device has not" ;;
  shared.c)
    [ $vendor = nvptx ] || echo "it asks for more than the 64 KiB that a block has on gfx"
    ;;
  startup.c) echo "it is about static programs" ;;
  esac
}
dir=build/simt/$target-$version
mkdir -p "$dir"
SIMT_DEVICE=build/simt/device-$target-$version
export SIMT_DEVICE
sh backends/simt/translate.sh -p "$SIMT_DEVICE" || exit 1
fail=0
for source; do
  name=$(basename "$source")
  reason=$(why_not "$name")
  if [ "$reason" ]; then
    printf '%-22s %s %s: not run: %s\n' "$name" "$target" "$version" "$reason"
    continue
  fi
  case $name in
  *.cpp) libs=-lstdc++ ;;
  *) libs= ;;
  esac
  # With -g Clang 19 says of a kernel's variables that nobody else touches them (noalias), and its
  # optimiser takes a sum out of the critical region that guards it. A GPU would compute the same.
  case $name in
  critical.c) debug=-g0 ;;
  threads.c) debug='-g -DROUNDS=20' ;;
  *) debug=-g ;;
  esac
  if ! sh tests/simt/build.sh "$target" "$version" "$dir/$name.exe" "$source" $debug $libs >"$dir/$name.log" 2>&1; then
    printf '%-22s %s %s: NOT BUILT\n' "$name" "$target" "$version"
    tail -5 "$dir/$name.log"
    fail=1
  elif ! sh tests/simt/run.sh "$target" "$dir/$name.exe" >"$dir/$name.log" 2>&1 ||
    { [ -f "${source%.*}.expected" ] && ! diff "${source%.*}.expected" "$dir/$name.log"; }; then
    printf '%-22s %s %s: WRONG\n' "$name" "$target" "$version"
    tail -5 "$dir/$name.log"
    fail=1
  else
    printf '%-22s %s %s: right\n' "$name" "$target" "$version"
  fi
done
exit $fail

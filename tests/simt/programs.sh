#!/bin/sh
# Description: programs run on the virtual GPU of a simulated driver, with mandatory offload, as PROGRAMS.md
# states. A program without a row fails. PROGRAM.expected is the expected output, if it exists.
#   programs.sh [--without NAMES] TARGET VERSION PROGRAM...      VERSION: of Clang; PROGRAM: source file
set -u
without=
[ "$1" = --without ] && { without=$2; shift 2; }
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
table=tests/simt/PROGRAMS.md
column=$(awk -F ' *[|] *' -v want="$target, Clang $version" '
  $2 == "program" { for (i = 3; i < NF; i++) if ($i == want) print i }' $table)
[ "$column" ] || { echo "failed: $table has no column for $target, Clang $version"; exit 1; }
cell_of() { # cell_of <source>: right, a letter, or nothing
  row=$(basename "$(dirname "$1")")/$(basename "$1")
  awk -F ' *[|] *' -v row="$row" -v i="$column" '$2 == row { print $i }' $table
}
reason_of() { # reason_of <letter>
  sed -n "s/^\* $1: \(.*\)\.\$/\1/p" $table
}
dir=build/simt/$target-$version-$# # several tests may run concurrently
mkdir -p "$dir"
export SIMT_DEVICE=build/lib/simt # bitcode of the intrinsics
[ -f $SIMT_DEVICE/common.bc ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
fail=0
for source; do
  name=$(basename "$source")
  case " $without " in *" $name "*) continue ;; esac
  cell=$(cell_of "$source")
  case $cell in
  right) ;;
  ?)
    printf '%-22s %s %s: not run: %s\n' "$name" "$target" "$version" "$(reason_of "$cell")"
    [ "$(reason_of "$cell")" ] || { echo "failed: $table gives no reason $cell"; fail=1; }
    continue
    ;;
  *)
    echo "failed: $table has no row for $source"
    fail=1
    continue
    ;;
  esac
  case $name in
  *.cpp) libs=-lstdc++ ;;
  *) libs= ;;
  esac
  # With -g, Clang 19 marks kernel variables noalias and moves a sum out of its critical region, also for real GPUs.
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

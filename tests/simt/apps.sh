#!/bin/sh
# Description: mini-applications (apps/) on the virtual GPU (backend simt) compute the host's results.
#   apps.sh [--checks] [--seed NAMES] TARGET CLANG-VERSION [SOURCE...]
# --checks: with --simt-checks, which must report nothing; --seed: runs these programs again with SIMT_SEED=1
set -u
checks= seeded=
[ "$1" = --checks ] && { checks='--simt-checks -g'; shift; }
[ "$1" = --seed ] && { seeded=$2; shift 2; }
target=$1 version=$2
shift 2
command -v "clang-$version" >/dev/null || { echo "skipped: no clang-$version"; exit 77; }
[ -f build/lib/simt/translate.sh ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
dir=build/simt/apps-$target-$version-$#${checks:+-checks} # several tests may run concurrently
mkdir -p "$dir"
[ $# -gt 0 ] || set -- tests/simt/apps/*.c tests/simt/apps/*.cpp
# shellcheck disable=SC2086
one() { # one <source>: builds and runs it, and prints the result
  name=$(basename "$1")
  case $target in gfx*) ! head -1 "$1" | grep -q 'on NVIDIA GPUs' || { echo "$name: right"; return; } ;; esac
  compiler=solo-cc
  case $name in *.cpp) compiler=solo-c++ ;; esac
  if ! timeout 400 build/bin/$compiler --clang="clang-$version" --targets="simt-$target" -O2 $checks \
    -Wno-openmp-mapping "$1" -o "$dir/$name.exe" -lm >"$dir/$name.log" 2>&1; then
    printf '%-16s %s %s: NOT BUILT\n' "$name" "$target" "$version"
    tail -5 "$dir/$name.log"
  elif ! OMP_TARGET_OFFLOAD=mandatory timeout "${SIMT_SECONDS:-60}" "$dir/$name.exe" >"$dir/$name.log" 2>&1; then
    printf '%-16s %s %s: WRONG\n' "$name" "$target" "$version"
    tail -5 "$dir/$name.log"
  elif grep '^simt: ' "$dir/$name.log"; then
    printf '%-16s %s %s: ERROR REPORTED\n' "$name" "$target" "$version"
  else
    case " $seeded " in
    *" $name "*)
      if ! SIMT_SEED=1 OMP_TARGET_OFFLOAD=mandatory timeout "${SIMT_SECONDS:-60}" "$dir/$name.exe" >"$dir/$name.log" 2>&1 ||
        grep '^simt: ' "$dir/$name.log"; then
        printf '%-16s %s %s: WRONG with SIMT_SEED=1\n' "$name" "$target" "$version"
        tail -5 "$dir/$name.log"
        return
      fi
      ;;
    esac
    printf '%-16s %s %s: right\n' "$name" "$target" "$version"
  fi
}
half() { # half <0|1> <source...>: every second source
  n=$1
  shift
  for source; do
    [ $n = 0 ] && one "$source"
    n=$((1 - n))
  done
}
half 0 "$@" >"$dir/first" &
half 1 "$@" >"$dir/second"
wait
sort "$dir/first" "$dir/second" >"$dir/table"
cat "$dir/first" "$dir/second"
right=$(grep -c ': right$' "$dir/table")
echo "$right of $# programs are correct"
[ "$right" = $# ]

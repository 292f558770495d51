#!/bin/sh
# Runs the tests of tests/*/tests.list and ports/*/tests.list, with --soak also of soak.list (README.md).
#   tests/run.sh [--soak] [-j N] [--logs FOLDER] [--] [PATTERN...]   PATTERN: a shell pattern for test names
# Tests with the highest limits start first. A name that ends with "!" runs alone at the end.
# Unsets the caller's variables that programs, compilers, linkers or drivers read.
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=$(nproc 2>/dev/null || echo 2)
lists=tests.list
logs=build/test-logs
while [ $# -gt 0 ]; do
  case $1 in
  --soak) lists='tests.list soak.list'; shift ;;
  -j) jobs=$2; shift 2 ;;
  --logs) logs=$2; shift 2 ;;
  --) shift; break ;;
  -*) echo "tests/run.sh: unknown option $1" >&2; exit 2 ;;
  *) break ;;
  esac
done
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
  case $name in
  OMP_* | OMPX_* | KMP_* | GOMP_* | LIBOMP* | OMPTARGET_* | SOLO_* | SIM_* | BENCH_*) unset "$name" ;;
  SIMT_* | REX_* | OMPI_* | PRTE_* | PMI_* | PMIX_* | SLURM_* | HYDRA_* | MPIR_* | MPICH_*) unset "$name" ;;
  CUDA_VISIBLE_DEVICES | CUDA_[CDLM]*_* | HSA_* | ROCR_* | HIP_* | AMD_* | GPU_*) unset "$name" ;;
  LD_* | GLIBC_TUNABLES | MALLOC_* | [AULMT]*SAN_OPTIONS) unset "$name" ;;
  *FLAGS | CC | CXX | FC | LD | CLANG | CCC_* | GCC_* | COMPILER_PATH) unset "$name" ;;
  LIBRARY_PATH | CPATH | *_INCLUDE_PATH | DESTDIR | GREP_OPTIONS | LC_* | LANG | LANGUAGE) unset "$name" ;;
  esac
done
rm -rf "$logs"
mkdir -p "$logs"
export logs # for run-one.sh
plan=$logs/plan
: >"$plan"
for name in $lists; do
  for list in tests/*/"$name" ports/*/"$name"; do
    [ -f "$list" ] || continue
    while read -r test variants limit command; do
      case $test in '' | '#'*) continue ;; esac
      for v in $(echo "$variants" | tr , ' '); do
        id=$test
        [ "$v" = - ] || id=${test%!}@$v
        case $test in *!) [ "$v" = - ] || id=$id! ;; esac
        if [ $# -gt 0 ]; then
          hit=no
          for p; do case $id in $p) hit=yes ;; esac; done
          [ $hit = yes ] || continue
        fi
        printf '%s\t%s\t%s\n' "$id" "$limit" "$(echo "$command" | sed "s|%v|$v|g")" >>"$plan"
      done
    done <"$list"
  done
done
run() { # run <parallel jobs> < plan
  sort -s -t '	' -k 2,2nr | tr '\n' '\0' | xargs -r -0 -P "$1" -n 1 sh tests/run-one.sh
}
grep -v '^[^	]*!	' "$plan" | run "$jobs"
grep '^[^	]*!	' "$plan" | run 1
pass=$(cat "$logs"/*.result 2>/dev/null | grep -c '^PASS')
fail=$(cat "$logs"/*.result 2>/dev/null | grep -c '^FAIL')
skip=$(cat "$logs"/*.result 2>/dev/null | grep -c '^SKIP')
cat "$logs"/*.result 2>/dev/null | grep '^SKIP' | sort
cat "$logs"/*.result 2>/dev/null | grep '^FAIL' | sort
sh tests/ways/table.sh "$logs" >"$logs/seeds.md" && echo "the table of seeds: $logs/seeds.md"
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ] && [ "$pass" -gt 0 ]

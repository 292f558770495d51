#!/bin/sh
# Runs the tests of tests/*/tests.list and ports/*/tests.list, with --soak also of soak.list (README.md).
#   tests/run.sh [--soak] [-j N] [--logs FOLDER] [--] [PATTERN...]   PATTERN: a shell pattern for test names
# The longest tests of costs.list start first, then those with the highest limits. A name that ends with "!" runs alone at
# the end. Writes LOGS/times (seconds, processor seconds, name), and after a soak a line of build/soak-summary.txt.
#   tests/run.sh --record    writes costs.list from the last run
# Unsets the caller's variables that programs, compilers, linkers or drivers read.
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=$(nproc 2>/dev/null || echo 2)
lists=tests.list
logs=build/test-logs
costs=tests/costs.list
while [ $# -gt 0 ]; do
  case $1 in
  --record)
    awk '$1 >= 5 {printf "%d %s\n", $1, $3}' $logs/times >$costs
    exit
    ;;
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
planned=$(wc -l <"$plan")
export planned
begin=$(date +%s)
run() { # run <parallel jobs> < plan
  awk -F '\t' 'FNR == NR {split($0, a, " "); cost[a[2]] = a[1]; next} {print cost[$1] + 0 "\t" $0}' $costs - |
    sort -s -t '	' -k 1,1nr -k 3,3nr | tr '\n' '\0' | xargs -r -0 -P "$1" -n 1 sh tests/run-one.sh
}
grep -v '^[^	]*!	' "$plan" | run "$jobs"
grep '^[^	]*!	' "$plan" | run 1
cat "$logs"/*.time 2>/dev/null | sort -rn >"$logs/times"
took=$(($(date +%s) - begin))
pass=$(cat "$logs"/*.result 2>/dev/null | grep -c '^PASS')
fail=$(cat "$logs"/*.result 2>/dev/null | grep -c '^FAIL')
skip=$(cat "$logs"/*.result 2>/dev/null | grep -c '^SKIP')
cat "$logs"/*.result 2>/dev/null | grep '^SKIP' | sort
cat "$logs"/*.result 2>/dev/null | grep '^FAIL' | sort
sh tests/ways/table.sh "$logs" >"$logs/seeds.md" && echo "the table of seeds: $logs/seeds.md"
echo "the slowest tests (seconds, processor seconds):"
head -n 10 "$logs/times"
awk -v took=$took -v jobs="$jobs" '{used += $2} END {
  printf "%d s with %d tests at a time; the tests used %d processor seconds\n", took, jobs, used }' "$logs/times"
case $lists in *soak*)
  echo "$(date -u +%Y-%m-%d) $(git rev-parse --short HEAD 2>/dev/null) $pass passed, $fail failed, $skip skipped, $took s" \
    >>build/soak-summary.txt ;;
esac
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ] && [ "$pass" -gt 0 ]

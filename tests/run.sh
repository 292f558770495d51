#!/bin/sh
# Runs the tests of tests/*/tests.list and ports/*/tests.list, with --soak also of soak.list (README.md).
#   tests/run.sh [--soak] [-j N] [--logs FOLDER] [--] [PATTERN...]   PATTERN: a shell pattern for test names
# costs.list has the cost of long tests: seconds, processor seconds, name. The longest tests start first, then the tests with
# the highest limits. A test that uses a processor for less than half of its time is a waiting test: for each two jobs, one
# waiting test runs in addition. A test with a "!" runs alone at the end. Writes LOGS/times (format of costs.list) and, after a
# soak, a line of build/soak-summary.txt.
#   tests/run.sh --record    writes costs.list from the last run, which needs an idle machine
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
    awk '$1 >= 5 {printf "%d %d %s\n", $1, $2, $3}' $logs/times >$costs
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
export TSAN_OPTIONS=atexit_sleep_ms=50 # not the default, one second
rm -rf "$logs"
mkdir -p "$logs"
export logs # for run-one.sh
plan=$logs/plan
lists=$(for name in $lists; do ls tests/*/"$name" ports/*/"$name" 2>/dev/null; done)
awk '/^#/ || NF == 0 {next}
  {command = $0; for (i = 0; i < 3; i++) sub(/^[^ ]+ +/, "", command)
  for (i = 1; i <= split($2, variant, ","); i++) {
    id = $1; text = command; gsub(/%v/, variant[i], text)
    if (variant[i] != "-") {alone = sub(/!$/, "", id); id = id "@" variant[i] (alone ? "!" : "")}
    print id "\t" $3 "\t" text}}' $lists |
  while read -r line; do
    [ $# -gt 0 ] || printf '%s\n' "$line"
    for p; do case ${line%%	*} in $p) printf '%s\n' "$line"; break ;; esac; done
  done >"$plan"
planned=$(wc -l <"$plan")
export planned
begin=$(date +%s)
awk -F '\t' -v jobs="$jobs" 'FNR == NR {split($0, a, " "); cost[a[3]] = a[1]; used[a[3]] = a[2]; next}
  {kind = $1 ~ /!$/ ? "alone" : jobs > 1 && 2 * used[$1] < cost[$1] ? "waits" : "computes"
  file = $1; gsub(/[\/!@ ]/, "_", file); print cost[$1] + 0 "\t" $0 "\t" file "\t" kind}' \
  $costs "$plan" | sort -s -t '	' -k 1,1nr -k 3,3nr >"$plan.sorted"
run() { # run <kind> <parallel jobs>
  grep "	$1\$" "$plan.sorted" | tr '\n' '\0' | xargs -r -0 -P "$2" -n 1 sh tests/run-one.sh
}
run waits $((jobs / 2)) &
run computes "$jobs"
wait
run alone 1
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
case $lists in *soak.list*)
  echo "$(date -u +%Y-%m-%d) $(git rev-parse --short HEAD 2>/dev/null) $pass passed, $fail failed, $skip skipped, $took s${*:+ ($*)}" \
    >>build/soak-summary.txt ;;
esac
echo "$pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ] && [ "$pass" -gt 0 ]

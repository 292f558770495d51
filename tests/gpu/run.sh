#!/bin/sh
# Runs the bundle on this machine's GPU; writes one JSON line per result to results.jsonl (or $1).
#   sh run.sh [RESULTS]     BUDGET=540: total seconds; PARTS="backend programs faults server mpi bars rest memcheck"
#                           LOGS=DIR: logs of failed tests
# Needs a driver and a shell. Exit status: 0 passed, 1 a test failed (slow results, bars.awk, are no failure), 77 no GPU.
set -u
results=${1:-results.jsonl}
case $results in /*) ;; *) results=$PWD/$results ;; esac
cd "$(dirname "$0")" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
: >"$results" || exit 1
budget=${BUDGET:-540}
parts=${PARTS:-backend programs faults server mpi bars rest memcheck}
logs=${LOGS:-}
begun=$(date +%s)
fail=0
left() { echo $((begun + budget - $(date +%s))); }

LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
simulated=${RUN_ON_SIMULATOR:-} # folder of the simulated driver, for a rehearsal
[ -z "$simulated" ] || LD_LIBRARY_PATH=$simulated:$LD_LIBRARY_PATH
capability=$(tests/bench_raw_start capability 2>"$tmp/why")
if [ -z "$capability" ]; then # try the places of container mounts
  for d in /usr/local/nvidia/lib64 /usr/local/nvidia/lib /usr/lib/x86_64-linux-gnu /usr/lib64/nvidia \
    /usr/lib64 /usr/lib/wsl/lib /run/opengl-driver/lib /usr/local/cuda/compat \
    $(find /usr /opt /lib /lib64 /run -name libcuda.so.1 -not -path '*/stubs/*' 2>/dev/null |
      sed 's|/[^/]*$||'); do
    [ -e "$d/libcuda.so.1" ] || continue
    capability=$(LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$d tests/bench_raw_start capability 2>"$tmp/why") || continue
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$d
    break
  done
fi
if [ -z "$capability" ]; then
  echo "no NVIDIA GPU here: $(cat "$tmp/why" 2>/dev/null)"
  tests/solo-info
  exit 77
fi
PATH=$PATH:/usr/local/nvidia/bin:/usr/local/cuda/bin
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
[ -n "$driver" ] || driver=$(sed -n 's/.*Kernel Module *\([0-9.]*\).*/\1/p' /proc/driver/nvidia/version 2>/dev/null)
echo "{\"kind\":\"machine\",$(tests/bench_raw_start),\"driver\":\"$driver\",\"kernel\":\"$(uname -r)\",\"cpus\":$(nproc),\"date\":\"$(date -u +%FT%TZ)\"}" |
  tee -a "$results"
case $capability in
9*) arch=sm_90 ;;
8*) arch=sm_80 ;;
*) arch= ;;
esac

kernels() { # kernels <name>: the file for this GPU
  if [ -n "$simulated" ]; then
    echo "$simulated/$([ "$1" = kernels ] && echo kernels || echo conf)-sm90.cubin"
  elif [ -n "$arch" ]; then
    echo "kernels/$1-$arch.cubin"
  else
    echo "kernels/$1.ptx"
  fi
}

verdict() { # verdict <kind> <name> <status> <log>
  case $3 in
  0) word=pass ;;
  77) word=skip ;;
  *) word=fail; fail=1 ;;
  esac
  echo "$word $1 $2"
  [ $word = pass ] || tail -n 15 "$4" | sed 's/^/    /'
  [ $word = pass ] || [ -z "$logs" ] || cp "$4" "$logs/$1-$2.log"
  echo "{\"kind\":\"$1\",\"name\":\"$2\",\"verdict\":\"$word\",\"status\":$3,\"said\":\"$(
    [ $word = pass ] || grep -a . "$4" | tail -n 2 | tr -d '\000-\011\013-\037\\' | tr '\n' ' ' |
      sed "s/\"/'/g" | cut -c1-300)\"}" >>"$results"
}

most() { # most <seconds>: at most the rest of the budget
  seconds=$(left)
  [ "$seconds" -lt "$1" ] || seconds=$1
  echo "$seconds"
}

check() { # check <kind> <name> <command...>
  kind=$1 name=$2
  shift 2
  if [ "$(left)" -lt 5 ]; then
    echo "no time left" >"$tmp/log"
    verdict "$kind" "$name" 77 "$tmp/log"
    return
  fi
  timeout "$(most 60)" "$@" >"$tmp/log" 2>&1
  verdict "$kind" "$name" $? "$tmp/log"
}

# Converts lines "NAME UNIT VALUE..." to JSON with count, median and 99th percentile.
measure() { # measure <contestant> <command...>
  who=$1
  shift
  [ "$(left)" -ge 5 ] || return
  if ! timeout "$(most 90)" "$@" >"$tmp/log" 2>&1; then
    verdict bench "$who: $*" 1 "$tmp/log"
    return
  fi
  grep -v '^#' "$tmp/log" | awk -v who="$who" 'NF > 2 && $3 ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ {
    n = NF - 2
    for (i = 1; i <= n; i++) v[i] = $(i + 2) + 0
    for (i = 2; i <= n; i++) { x = v[i]; for (j = i - 1; j > 0 && v[j] > x; j--) v[j + 1] = v[j]; v[j + 1] = x }
    p99 = int(n * 0.99 + 0.999); if (p99 > n) p99 = n
    printf "{\"kind\":\"bench\",\"who\":\"%s\",\"name\":\"%s\",\"unit\":\"%s\",\"n\":%d,\"p50\":%g,\"p99\":%g}\n",
           who, $1, $2, n, v[int((n + 1) / 2)], v[p99]
  }' | tee -a "$results"
}

tests/solo-info >"$tmp/info" 2>&1
sed 's/^/    /' "$tmp/info"
export OMP_TARGET_OFFLOAD=mandatory
DEVICE_WARPS=$(tests/bench_raw_start | sed -n 's/.*"multiprocessors":\([0-9]*\).*/\1/p')
DEVICE_WARPS=$((${DEVICE_WARPS:-0} * 64)) # expected by simt/procs.c
export DEVICE_WARPS
[ -z "$simulated" ] || OMP_TARGET_OFFLOAD=disabled # no real device code runs there
stock=
if [ -d stocklib ]; then
  for form in stock stockjit; do
    LD_LIBRARY_PATH=$PWD/stocklib:$LD_LIBRARY_PATH timeout -s KILL 10 $form/bench_start >"$tmp/log" 2>&1 &&
      stock=$form && break
  done
  [ -n "$stock" ] || verdict stock "libomptarget 19" 77 "$tmp/log"
fi
with_stock() { LD_LIBRARY_PATH=$PWD/stocklib:$LD_LIBRARY_PATH "$@"; }

part_backend() {
  check test backend tests/test_backend "$(kernels kernels)"
  check test context tests/test_context "$(kernels kernels)"
  check test fault tests/test_faults "$(kernels kernels)" sim_poke CUDA_ERROR_ILLEGAL_ADDRESS
  check test graphs env SOLO_CUDA_GRAPHS=on tests/test_graphs "$(kernels kernels)" graphs
  export SOLO_STAGING_THRESHOLD=64k SOLO_STAGING_BYTES=16k SOLO_SPIN_US=30000000
  check test stage tests/test_stage "$(kernels kernels)"
  unset SOLO_STAGING_THRESHOLD SOLO_STAGING_BYTES SOLO_SPIN_US
  # without the cases that inject failures or need other images than cubins
  check conformance all tests/conformance_cuda '[!e]*/*' 'event/*' 'errors/[!i]*'
}

# Prints the kernel of a region and its number of threads, with which the raw program launches the kernel.
region_kernel() { # region_kernel <program> <option...>
  LIBOMPTARGET_INFO=16 timeout 30 "$@" 2>&1 |
    sed -n 's/.*Launching kernel \([^ ]*\) with [0-9]* blocks and \([0-9]*\) threads.*/\1 \2/p' | tail -n 1
}
raw_region() { # raw_region <metric> <bytes of arguments>
  set -- "$1" "$2" $(region_kernel bin/q_launch --ops 1 --only "$1")
  [ $# = 4 ] || return
  measure raw_region env BENCH_CUDA_IMAGE=kernels/q_launch-$arch.cubin BENCH_CUDA_KERNEL="$3" \
    BENCH_CUDA_THREADS="$4" BENCH_CUDA_BYTES="$2" BENCH_CUDA_NAME="$1" tests/q_cuda_raw
}
cuda_question() { # cuda_question <contestant> <raw or solo> <option...>
  who=$1 program=tests/q_cuda_$2
  shift 2
  if [ -n "$simulated" ]; then
    measure "$who" env OMP_TARGET_OFFLOAD=mandatory SIM_MEMORY_MB=2048 \
      BENCH_CUDA_IMAGE="$simulated/kernels-sm80.ptx" $program --quick "$@"
  else
    measure "$who" $program "$@"
  fi
}
part_bars() {
  for round in 1 2 3; do
    for who in raw solo; do cuda_question $who $who --quick --only cuda/launch; done
    SOLO_CUDA_GRAPHS=on cuda_question solo_graphs solo --quick --only cuda/launch
    [ -z "$simulated" ] || continue
    for metric in launch/empty launch/present_512; do
      bytes=8
      [ $metric = launch/empty ] || bytes=16
      [ -z "$arch" ] || raw_region $metric $bytes
      measure solo bin/q_launch --quick --only $metric
      SOLO_CUDA_GRAPHS=on measure solo_graphs bin/q_launch --quick --only $metric
      [ -z "$stock" ] || with_stock measure stock19 $stock/q_launch --quick --only $metric
    done
  done
  set -- $([ -n "$simulated" ] && echo sim_nothing 1 || region_kernel bin/bench_start)
  image=kernels/bench_start-$arch.cubin
  [ -z "$simulated" ] || image=$(kernels kernels)
  if [ $# = 2 ] && [ "$(left)" -gt 60 ]; then
    if timeout 120 tests/repeat 21 tests/bench_raw_start "$image" "$1" "$2" -- bin/bench_start \
      ${stock:+-- env LD_LIBRARY_PATH="$PWD/stocklib:$LD_LIBRARY_PATH" $stock/bench_start} >"$tmp/start" 2>"$tmp/log"; then
      sed -n '1s/^/process_start ms /p' "$tmp/start" >"$tmp/one"
      measure raw cat "$tmp/one"
      sed -n '2s/^/process_start ms /p' "$tmp/start" >"$tmp/one"
      measure solo cat "$tmp/one"
      [ -z "$stock" ] || sed -n '3s/^/process_start ms /p' "$tmp/start" >"$tmp/one"
      [ -z "$stock" ] || measure stock19 cat "$tmp/one"
    else
      verdict bench process_start 1 "$tmp/log"
    fi
  fi
  for kind in cuda/pinned cuda/pageable; do
    for who in raw solo; do cuda_question $who $who --only $kind; done
  done
  export SOLO_STAGING_THRESHOLD=32k
  cuda_question staged solo --only cuda/pageable
  unset SOLO_STAGING_THRESHOLD
  if [ -z "$simulated" ]; then # the driver's ways to wait; solo without polling
    for flags in 1 4; do
      BENCH_CUDA_FLAGS=$flags cuda_question raw_flags_$flags raw --quick --only cuda/launch
    done
    SOLO_SPIN_US=0 cuda_question solo_sleeping solo --quick --only cuda/launch
  fi
}

# programs: examples and integration tests, several concurrently
reason_of() { # reason_of <kind> <name>
  sed -n "s|^$1/$2 ||p" left_out.list
}
check_all() { # check_all <kind> <program...>
  kind=$1
  shift
  for p; do # removes programs of left_out.list
    shift
    [ -z "$(reason_of "$kind" "$(basename "$p")")" ] || {
      echo "left out: $kind $(basename "$p"): $(reason_of "$kind" "$(basename "$p")")"
      continue
    }
    set -- "$@" "$p"
  done
  [ "$(left)" -ge 5 ] || { echo "no time left for $kind"; return; }
  mkdir "$tmp/$kind"
  export kind tmp
  printf '%s\n' "$@" | xargs -P "$(($(nproc) < 8 ? 1 : 4))" -I{} sh -c '
    name=$(basename "{}") expected=$(dirname "{}")/$(basename "{}").expected
    timeout 30 "{}" >"$tmp/$kind/$name" 2>&1
    status=$?
    [ $status != 0 ] || [ ! -f "$expected" ] || diff "$expected" "$tmp/$kind/$name" >"$tmp/$kind/$name.diff" ||
      { status=1; cat "$tmp/$kind/$name.diff" >>"$tmp/$kind/$name"; }
    echo $status >"$tmp/$kind/$name.status"'
  for p; do
    name=$(basename "$p")
    if [ -z "$simulated" ]; then
      verdict "$kind" "$name" "$(cat "$tmp/$kind/$name.status")" "$tmp/$kind/$name"
    elif [ "$(cat "$tmp/$kind/$name.status")" -ge 126 ] && # rehearsal: the program only has to start
      ! grep -q '^Assertion failure at kmp_\(sched\|tasking\.cpp(1836)\)' "$tmp/$kind/$name"; then # libomp 19 on the host: flang's teams, untied tasks
      verdict "$kind" "$name starts" 1 "$tmp/$kind/$name"
    fi
  done
}
programs_of() { # programs_of <folder>: the tests
  for p in "$1"/*; do
    case $p in */q_* | */bench_* | *.expected) continue ;; esac
    [ ! -x "$p" ] || printf '%s ' "$p"
  done
}
part_programs() {
  check_all program $(programs_of bin)
  check_all app $(programs_of apps)
  check_all cuda $(programs_of cuda)
  check_all clang22 $(programs_of clang22)
}

fault() { # fault <program> <text...>: checks abort and message
  name=$1
  shift
  timeout 30 faults/"$name" >"$tmp/log" 2>&1
  status=$?
  [ $status = 134 ] && status=0 || status=1
  for words; do
    grep -q "$words" "$tmp/log" || { echo "not in the message: $words" >>"$tmp/log"; status=1; }
  done
  verdict fault "$name" $status "$tmp/log"
}
part_faults() {
  [ -z "$simulated" ] || return
  fault beyond 'target region at .*beyond.c:7.*failed on device 0' CUDA_ERROR_ILLEGAL_ADDRESS
  check fault exhausted faults/exhausted # alone: allocates all memory
  fault assert 'Assertion `n == 8` failed' 'target region at .*assert.c:10.*failed on device 0' CUDA_ERROR_ASSERT
}

# NVIDIA's memory checker
part_memcheck() {
  [ -z "$simulated" ] && command -v compute-sanitizer >/dev/null || return
  mkdir "$tmp/checked"
  for p in $(programs_of apps); do
    printf '#!/bin/sh\nexec compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 9 "%s"\n' "$PWD/$p" \
      >"$tmp/checked/$(basename "$p")"
    ! [ -f "$p.expected" ] || rm "$tmp/checked/$(basename "$p")" # the checker adds output
  done
  chmod +x "$tmp"/checked/*
  check_all memcheck "$tmp"/checked/*
}

# static programs that use a device server
part_server() {
  check conformance remote tests/conformance_remote_cuda '[!e]*/*' 'event/*' 'errors/[!i]*'
  export SOLO_SERVER="$PWD/tests/solo-server" SOLO_SERVER_BACKENDS=cuda
  check_all static $(programs_of static)
  unset SOLO_SERVER SOLO_SERVER_BACKENDS
}

# devices of other MPI ranks on this machine, with and without shared memory
by_mpi() { # by_mpi NAME
  export SOLO_SERVER=mpi
  check conformance $1 sh mpi_job.sh 1 mpi/conformance_remote_cuda --here '[!e]*/*' 'event/*'
  for case in fault kept events blame fresh_queue; do
    check conformance $1_$case sh mpi_job.sh 1 mpi/conformance_remote_cuda --here errors/$case
  done
  unset SOLO_SERVER
  [ -z "$simulated" ] || return
  for n in 1 2 4; do
    check $1 cluster_$n sh mpi_job.sh $n mpi/cluster 130 96 30
  done
  check $1 nbody sh mpi_job.sh 1 mpi/nbody
}
part_mpi() {
  [ -d mpi ] || return
  by_mpi mpi
  export SOLO_SERVER_SHARED_MEMORY=off
  by_mpi mpi_far
  unset SOLO_SERVER_SHARED_MEMORY
}

part_rest() {
  if [ -z "$simulated" ]; then
    for q in q_launch q_app_stream q_app_cg q_app_cross q_app_dynamics q_app_lattice q_mapping q_transfer q_nowait; do
      measure solo_all bin/$q --quick
      [ -z "$stock" ] || with_stock measure stock19_all $stock/$q --quick
    done
  fi
}

CONF_CUBIN=$(kernels conf_kernels)
export CONF_CUBIN
for part in $parts; do part_$part; done
awk -f bars.awk "$results" >"$tmp/bars"
tee -a "$results" <"$tmp/bars"
echo "results in $results, $(($(date +%s) - begun)) s$([ -z "$stock" ] || echo ", LLVM's library as $stock")"
exit $fail

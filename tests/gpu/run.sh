#!/bin/sh
# Runs the bundle on this machine's GPU and writes one JSON line per result to results.jsonl (or $1).
# Exit status: 0 all right, 1 something failed, 77 there is no GPU.
set -u
cd "$(dirname "$0")" || exit 1
results=${1:-results.jsonl}
LD_LIBRARY_PATH=$PWD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
: >"$results"
fail=0

query() { nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -n 1; }
gpu=$(query name) driver=$(query driver_version)
capability=$(query compute_cap | tr -d .)
if [ -n "${RUN_ON_SIMULATOR:-}" ]; then # rehearsal: the folder of the simulated driver
  gpu="simulated" driver=none capability=sim
  LD_LIBRARY_PATH=$RUN_ON_SIMULATOR:$LD_LIBRARY_PATH
fi
[ -n "$gpu" ] || { echo "no NVIDIA GPU here (nvidia-smi says nothing)"; exit 77; }
echo "{\"kind\":\"machine\",\"gpu\":\"$gpu\",\"driver\":\"$driver\",\"capability\":\"$capability\",\"kernel\":\"$(uname -r)\",\"cpus\":$(nproc),\"date\":\"$(date -u +%FT%TZ)\"}" >>"$results"

kernels() { # kernels <name>: the file that this GPU takes
  case $capability in
  sim) echo "$RUN_ON_SIMULATOR/$([ "$1" = kernels ] && echo kernels || echo conf)-sm90.cubin" ;;
  90) echo "kernels/$1-sm_90.cubin" ;;
  8?) echo "kernels/$1-sm_80.cubin" ;;
  *) echo "kernels/$1.ptx" ;;
  esac
}

verdict() { # verdict <kind> <name> <status> <log>
  case $3 in
  0) word=pass ;;
  77) word=skip ;;
  *) word=fail; fail=1 ;;
  esac
  echo "$word $1 $2"
  [ $word = pass ] || tail -n 15 "$4" | sed 's/^/    /'
  echo "{\"kind\":\"$1\",\"name\":\"$2\",\"verdict\":\"$word\",\"status\":$3}" >>"$results"
}

check() { # check <kind> <name> <command...>
  kind=$1 name=$2
  shift 2
  timeout 120 "$@" >log.tmp 2>&1
  verdict "$kind" "$name" $? log.tmp
}

# Lines "NAME UNIT VALUE..." become JSON with count, median and 99th percentile.
measure() { # measure <contestant> <command...>
  who=$1
  shift
  if ! timeout 300 "$@" >log.tmp 2>&1; then
    verdict bench "$who: $*" 1 log.tmp
    return
  fi
  grep -v '^#' log.tmp | awk -v who="$who" 'NF > 2 && $3 ~ /^[0-9.]+$/ {
    n = NF - 2
    for (i = 1; i <= n; i++) v[i] = $(i + 2) + 0
    for (i = 2; i <= n; i++) { x = v[i]; for (j = i - 1; j > 0 && v[j] > x; j--) v[j + 1] = v[j]; v[j + 1] = x }
    p99 = int(n * 0.99 + 0.999); if (p99 > n) p99 = n
    printf "{\"kind\":\"bench\",\"who\":\"%s\",\"name\":\"%s\",\"unit\":\"%s\",\"n\":%d,\"p50\":%g,\"p99\":%g}\n",
           who, $1, $2, n, v[int((n + 1) / 2)], v[p99]
  }' | tee -a "$results"
}

tests/solo-info
check test backend tests/test_backend "$(kernels kernels)"
check test context tests/test_context "$(kernels kernels)"
check test fault tests/test_faults "$(kernels kernels)" sim_poke CUDA_ERROR_ILLEGAL_ADDRESS
CONF_CUBIN=$(kernels conf_kernels)
export CONF_CUBIN
# failures cannot be ordered from a real driver; misfit and corrupt images need a file that is a cubin
check conformance all tests/conformance_cuda '[!e]*/*' 'event/*' 'errors/[!i]*'
if [ "$capability" != sim ]; then
  for p in bin/*; do
    case $p in bin/q_* | bin/bench_*) continue ;; esac
    OMP_TARGET_OFFLOAD=mandatory check program "$(basename "$p")" "$p"
  done
fi

measure driver tests/bench_driver "$(kernels kernels)"
start() { # start <contestant> <command...>
  who=$1
  shift
  values=$(tests/repeat 15 "$@" 2>/dev/null) && echo "process_start ms$values" >start.tmp &&
    measure "$who" cat start.tmp
}
start raw tests/bench_raw_start "$(kernels kernels)"
if [ "$capability" != sim ]; then
  export OMP_TARGET_OFFLOAD=mandatory
  start solo bin/bench_start
  for q in q_launch q_mapping q_transfer; do measure solo bin/$q --quick; done
  if [ -d stocklib ]; then
    LD_LIBRARY_PATH=$PWD/stocklib:$LD_LIBRARY_PATH
    start stock19 stock/bench_start
    for q in q_launch q_mapping q_transfer; do measure stock19 stock/$q --quick; done
  fi
fi
rm -f log.tmp start.tmp
echo "results in $results"
exit $fail

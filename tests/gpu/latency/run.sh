#!/bin/sh
# Measures launch latency and process start on this machine's NVIDIA GPU, in at most six minutes.
#   sh run.sh [RESULTS [CALLS]]     RESULTS: the table; CALLS: the driver's system calls
# Runs in build/gpu-latency (`ninja gpu-latency`). ROUNDS="1 2 3" and SAMPLES=100000 shorten it;
# RUN_ON_SIMULATOR=FOLDER uses a simulated driver. Exit status: 0 measured, 1 failed, 77 no GPU.
set -u
results=${1:-results.txt}
calls=${2:-calls.txt}
case $results in /*) ;; *) results=$PWD/$results ;; esac
case $calls in /*) ;; *) calls=$PWD/$calls ;; esac
cd "$(dirname "$0")" || exit 1
: >"$results"
: >"$calls"
fail=0
image=kernels.ptx ptx=kernels.ptx
library_path=${LD_LIBRARY_PATH:-}
if [ -n "${RUN_ON_SIMULATOR:-}" ]; then
  library_path=$RUN_ON_SIMULATOR
  image=$RUN_ON_SIMULATOR/latency.cubin ptx=$RUN_ON_SIMULATOR/latency.ptx
else
  for folder in "" /usr/local/nvidia/lib64 /usr/lib/x86_64-linux-gnu /usr/lib64/nvidia /usr/lib64 \
    $(find /usr /opt /lib /lib64 /run -name libcuda.so.1 -not -path '*/stubs/*' 2>/dev/null | sed 's|/[^/]*$||'); do
    LD_LIBRARY_PATH=$folder ./latency $image launch_synchronize 1 >/dev/null 2>&1 || continue
    library_path=$folder
    break
  done
fi
LD_LIBRARY_PATH=$library_path
export LD_LIBRARY_PATH
report() { echo "$*"; echo "$*" >>"$results"; }
if ! ./latency $image launch_synchronize 10 >log.txt 2>&1; then
  echo "no measurement: $(cat log.txt)"
  exit 77
fi
PATH=$PATH:/usr/local/nvidia/bin:/usr/local/cuda/bin
report "# $(nvidia-smi --query-gpu=name,driver_version,persistence_mode --format=csv,noheader 2>/dev/null), $(nproc) processors, Linux $(uname -r), $(date -u +%FT%TZ)"

cubin=
[ -z "${RUN_ON_SIMULATOR:-}" ] || cubin=$image
./latency kernels.ptx cubin kernels.cubin >>log.txt 2>&1 && cubin=kernels.cubin && image=$cubin

report "# empty region: name, unit, median, 99th percentile, minimum, samples"
for round in ${ROUNDS:-1 2 3}; do
  for variant in $(./latency $image list); do
    timeout 12 ./latency $image "$variant" "${SAMPLES:-100000}" >line.txt 2>log.txt
    status=$?
    case $status in
    0 | 77) report "launch $round $(cat line.txt)" ;;
    *) report "launch $round $variant failed with status $status: $(tail -n 1 log.txt)"; fail=1 ;;
    esac
  done
done

start() { # start <label> <count> <image> [VARIABLE=VALUE...]
  label=$1 n=$2 file=$3
  shift 3
  report "start $label $(env "$@" timeout 60 ./start "$n" "$file" 2>&1 | tail -n 1)"
}
report "# process start: medians in milliseconds"
start_all() { # start_all <alone or held>
  for loading in LAZY EAGER; do
    [ -z "$cubin" ] || start "$1 cubin $loading" 9 $cubin CUDA_MODULE_LOADING=$loading
    start "$1 ptx_cached $loading" 9 $ptx CUDA_MODULE_LOADING=$loading
  done
  start "$1 ptx_compiled LAZY" 3 $ptx CUDA_CACHE_DISABLE=1
}
start_all alone
mkfifo keep.fifo 2>/dev/null
./start hold <keep.fifo >ready.txt 2>&1 &
exec 3>keep.fifo
for wait in 1 2 3 4 5 6 7 8 9 10; do grep -q ready ready.txt && break; sleep 0.5; done
start_all held
[ -z "$cubin" ] || start "held cubin one_device" 9 $cubin CUDA_VISIBLE_DEVICES=0
exec 3>&-
wait
rm -f keep.fifo ready.txt line.txt
[ -z "$cubin" ] || start "alone cubin one_device" 9 $cubin CUDA_VISIBLE_DEVICES=0

CALLS_LOG=$calls LD_PRELOAD=./calls.so ./start once $image >>log.txt 2>&1 ||
  { report "the log of system calls failed: $(tail -n 1 log.txt)"; fail=1; }
report "# system calls per phase: phase, calls, milliseconds"
awk '{ n[$1]++; us[$1] += $2 } END { for (p in n) printf "calls %s %d %.1f\n", p, n[p], us[p] / 1000 }' "$calls" | sort >calls-sum.txt
cat calls-sum.txt
cat calls-sum.txt >>"$results"
report "# the ten longest system calls"
sort -k2,2nr "$calls" | head -n 10 >calls-sum.txt
cat calls-sum.txt
cat calls-sum.txt >>"$results"
rm -f calls-sum.txt
exit $fail

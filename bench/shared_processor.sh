#!/bin/sh
# Builds and runs shared_processor.c with solo (static), libomp and libgomp; writes bench/results/shared_processor.txt.
set -eu
cd "$(dirname "$0")/.."
for contestant in static host gomp; do
  sh bench/build.sh $contestant bench/shared_processor.c build/bench/shared_processor.$contestant
done
{
  echo "# sh bench/shared_processor.sh: two threads, $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg), $(date -u +%Y-%m-%d)"
  for arguments in '3000 0 4' '20000 0 4' '20000 200 3' '20000 1000 3' '200000 3000 4'; do
    echo "work, pause (us), seconds: $arguments"
    for contestant in static host gomp; do
      # shellcheck disable=SC2086
      printf '%-7s %s\n' $contestant "$(build/bench/shared_processor.$contestant $arguments)"
    done
  done
} | tee bench/results/shared_processor.txt

#!/bin/sh
# Measures the range index twice.
cd "$(dirname "$0")/.." || exit 1
largest=${1:-1000000}
{
  echo "# sh bench/mapping_index.sh $largest"
  echo "# $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load" \
    "$(cut -d' ' -f1 /proc/loadavg), $(date -u +%Y-%m-%d)"
  echo "# the machine had other load: use the lowest column"
  echo "# design ranges what   ns per operation: median, lowest, highest"
  for turn in 1 2; do
    build/bench/bench_mapping_index_btree "$largest"
  done
}

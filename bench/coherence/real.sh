#!/bin/sh
# Compares the model with two real processors: measures a cache line transfer, fork and join and a barrier, and computes
# the latter two from the transfer.
set -eu
cd "$(dirname "$0")/../.."
b=build/bench/coherence
echo "design construct  measured ns  model ns  (transfer ns)"
for design in flat tree; do
  [ $design = tree ] && above=1 || above=512
  set -- $($b/real $design)
  transfer=$1
  for construct in forkjoin barrier; do
    shift
    model=$($b/scale --near "$transfer" --above $above --one solo $construct 2 | sed 's/.*, \([0-9]*\) ns/\1/')
    printf '%-6s %-10s %11s %9s  (%s)\n' $design $construct "$1" "$model" "$transfer"
  done
done

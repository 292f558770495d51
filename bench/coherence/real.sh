#!/bin/sh
# Does the model say of two processors what they do? The time of a transfer is measured by a line that goes to and fro;
# with it the model computes fork and join and a barrier of two threads, which are measured, too.
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

#!/bin/sh
# Builds chain.c with solo-cc, static, and runs it with 1 and 4 threads.
#   tests/nowait/chain.sh CLANG
set -eu
clang=$1
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
out=$SOLO_PREFIX/tests/nowait
mkdir -p "$out"
SOLO_CLANG=$clang "$SOLO_PREFIX/bin/solo-cc" --static --glibc -g -O1 -I. tests/nowait/chain.c \
  -o "$out/chain.$clang"
for threads in 1 4; do OMP_NUM_THREADS=$threads timeout 50 "$out/chain.$clang"; done

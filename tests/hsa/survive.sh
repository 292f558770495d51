#!/bin/sh
# Description: each call of HSA's runtime fails in turn in a whole program: survive.sh PROGRAM CODE
[ -x "$1" ] || {
  echo "skipped: backend hsa was not configured"
  exit 77
}
exec sh tests/cuda/test_survive.sh "$1" build/sim/hsa/program-gfx90a.co "$2"

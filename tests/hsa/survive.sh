#!/bin/sh
# Description: a program survives the failure of each HSA call in turn: survive.sh PROGRAM CODE
[ -x "$1" ] || {
  echo "skipped: backend hsa was not configured"
  exit 77
}
exec sh tests/cuda/test_survive.sh "$1" build/sim/hsa/program-gfx90a.co "$2"

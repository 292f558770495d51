#!/bin/sh
# Description: simulated AMD GPUs and APUs, with and without xnack, with old and new runtimes, share the host's
# memory as expected (test_unified.c).
#   unified.sh VARIANT
set -u
program=build/$1/tests/hsa/test_unified
[ -x "$program" ] || { echo "skipped: backend hsa was not configured"; exit 77; }
fail=0 n=0
# try <agent> <code object's processor> <case> <requires|-> [variable...]
try() {
  agent=$1 object=build/sim/hsa/program-$2.co what=$3 requires=$4
  shift 4
  wave=64
  case $agent in gfx1*) wave=32 ;; esac
  env SIM_INLINE=1 SIM_LEAKS=1 LIBOMPTARGET_HEAP_SIZE=65536 SIM_HSA_AGENT=$agent "$@" \
    "$program" "$object" "$what" "$requires" $wave \
    >build/$variant-unified.txt 2>&1 || {
    echo "failed: $agent $what $requires $*:"
    cat build/$variant-unified.txt
    fail=1
  }
  n=$((n + 1))
}
variant=$1
off=gfx90a:sramecc+:xnack- on=gfx90a:sramecc+:xnack+
a_off=gfx942:sramecc+:xnack- a_on=gfx942:sramecc+:xnack+
try $off gfx90a copies -
try $on gfx90a copies -
try $on gfx90a zero requires
try $off gfx90a refused requires
try $on gfx90a zero - OMPX_APU_MAPS=1
try $off gfx90a copies - OMPX_APU_MAPS=1         # no effect without xnack
try $a_on gfx942 copies -                        # a discrete GPU
try $a_on gfx942 zero - SIM_HSA_APU=1
try $a_off gfx942 copies - SIM_HSA_APU=1
try $a_off gfx942 refused requires SIM_HSA_APU=1
try $a_on gfx942 zero - SIM_HSA_APU=1 SIM_HSA_OLD=1 # an APU, recognised by its chip id
try $a_on gfx942 copies - SIM_HSA_OLD=1
try gfx1030 gfx1030 copies -
try gfx1030 gfx1030 copies - SIM_HSA_APU=1       # an APU without page faults
try gfx1030 gfx1030 refused requires
echo "$n machines"
exit $fail

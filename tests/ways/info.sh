#!/bin/sh
# Description: LIBOMPTARGET_INFO's bits 1 (arguments of constructs), 4 (tables behind them) and 8 (entries that
# come and go) give the same lines as the installed stock library for the same program, addresses aside.
name=ways_info
. tests/tools/lib.sh
stock=/usr/lib/llvm-19/lib
[ -e $stock/libomptarget.so.19.1 ] || { echo "skipped: no stock libomptarget"; exit 77; }
cp "$tree/../tests/ways/programs/info.c" .
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -g info.c -o info -L$stock
lines() { # lines BITS FOLDERS...: without addresses, the other CPU devices of stock's, and its last table, at exit
  LIBOMPTARGET_INFO=$1 LD_LIBRARY_PATH=$2 ./info 2>&1 >/dev/null | sed -E 's/0x[0-9a-f]+/ADDRESS/g' |
    grep -v -e 'device [1-9]' | sed '/after block at libomptarget:0:0/,$d'
}
for bits in 1 4 5; do
  checks=$((checks + 1))
  lines $bits $stock >stock.$bits
  lines $bits "$tree/lib/glibc/shared-cpu:$stock" >ours.$bits
  [ "$(wc -l <stock.$bits)" -gt 10 ] || fail "stock says nothing for $bits"
  cmp -s stock.$bits ours.$bits || { fail "other lines for LIBOMPTARGET_INFO=$bits"; diff stock.$bits ours.$bits | head -20; }
done
# the order in which a construct's entries go is not stock's
checks=$((checks + 1))
lines 8 $stock | sort >stock.8
lines 8 "$tree/lib/glibc/shared-cpu:$stock" | sort >ours.8
cmp -s stock.8 ours.8 || { fail 'other entries'; diff stock.8 ours.8; }
done_testing

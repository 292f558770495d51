#!/bin/sh
# Description: LIBOMPTARGET_INFO's bits 1 (arguments of constructs), 2 (mappings that exist; of what regions map
# themselves less), 4 (tables behind them) and 8 (entries that
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
# data constructs: the same; regions: what was mapped before, in the same order
data() { awk '/OpenMP kernel/ { region = 1 } /data region|Updating/ { region = 0 } !region' "$1"; }
lines 3 $stock >stock.3
lines 3 "$tree/lib/glibc/shared-cpu:$stock" >ours.3
checks=$((checks + 2))
data stock.3 >stock.data
data ours.3 | cmp -s - stock.data || { fail 'other lines of data constructs for LIBOMPTARGET_INFO=3'; data ours.3 | diff stock.data - | head; }
diff stock.3 ours.3 | grep '^>' && fail 'lines for LIBOMPTARGET_INFO=3 that stock has not'
[ "$(grep -c 'Mapping exists' ours.3)" -gt 8 ] || fail 'few lines for LIBOMPTARGET_INFO=3'
# regions whose data was mapped before, holds: all lines
sed -n '/^extern void ompx_dump/,/^}/p' "$tree/../tests/programs/info.sh" >info.c
works clang-19 -fopenmp -fopenmp-extensions -fopenmp-targets=x86_64-pc-linux-gnu -g info.c -o info -L$stock
lines 3 $stock >stock.present
lines 3 "$tree/lib/glibc/shared-cpu:$stock" >ours.present
checks=$((checks + 1))
[ "$(grep -c 'Mapping exists' stock.present)" -gt 8 ] && cmp -s stock.present ours.present ||
  { fail 'other lines of present mappings'; diff stock.present ours.present; }
cp "$tree/../tests/ways/programs/info.c" .
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -g info.c -o info -L$stock
# the order in which a construct's entries go is not stock's
checks=$((checks + 1))
lines 8 $stock | sort >stock.8
lines 8 "$tree/lib/glibc/shared-cpu:$stock" | sort >ours.8
cmp -s stock.8 ours.8 || { fail 'other entries'; diff stock.8 ours.8; }
done_testing

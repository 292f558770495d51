#!/bin/sh
# Description: LIBOMPTARGET_INFO's bits (1 arguments, 2 mappings, 4 tables, 8 entries, 16 kernels, 32 copies) print the
# lines of LLVM's libomptarget, except addresses and the number of threads, which LLVM's library prints as 1. Programs
# of Clang 22, which LLVM's library cannot run, print the lines of Clang 19 if the argument lists are equal.
name=ways_info
. tests/tools/lib.sh
stock=/usr/lib/llvm-19/lib
[ -e $stock/libomptarget.so.19.1 ] || { echo "skipped: no stock libomptarget"; exit 77; }
ours=$tree/lib/glibc/shared-cpu
flags="-fopenmp -fopenmp-extensions -fopenmp-version=52 -fopenmp-targets=x86_64-pc-linux-gnu -g -w -isystem $tree/include"
lines() { # lines BITS FOLDERS PROGRAM: without addresses, stock's other devices and its table at exit
  LIBOMPTARGET_INFO=$1 LD_LIBRARY_PATH=$2 ./"$3" 2>&1 >/dev/null |
    sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/(Launching .*) [0-9]+ threads/\1 N threads/' |
    grep -v -e 'device [1-9]' | sed '/after block at libomptarget:0:0/,$d'
}
without_last_table() { # without_last_table FILE: without stock's empty table at exit
  sed '${/table empty$/d}' "$1"
}
same() { # same BITS PROGRAM [lines at least]
  checks=$((checks + 1))
  lines "$1" $stock "$2" >"$2.stock"
  lines "$1" "$ours:$stock" "$2" >"$2.ours"
  [ "$(wc -l <"$2.stock")" -ge "${3:-4}" ] || fail "$2: stock prints fewer lines than expected for $1"
  cmp -s "$2.stock" "$2.ours" && return
  without_last_table "$2.stock" >"$2.cut"
  cmp -s "$2.cut" "$2.ours" || { fail "$2: different lines for LIBOMPTARGET_INFO=$1"; diff "$2.cut" "$2.ours" | head -20; }
}
same_rows() { # same_rows BITS PROGRAM: in any order
  checks=$((checks + 1))
  lines "$1" $stock "$2" | sort >"$2.$1.stock"
  lines "$1" "$ours:$stock" "$2" | sort >"$2.$1.ours"
  [ -s "$2.$1.stock" ] || fail "$2: stock prints nothing for $1"
  cmp -s "$2.$1.stock" "$2.$1.ours" || { fail "$2: different rows for LIBOMPTARGET_INFO=$1"; diff "$2.$1.stock" "$2.$1.ours"; }
}
build() { # build VERSION SOURCE PROGRAM
  # shellcheck disable=SC2086
  works "clang++-$1" $flags -x "$(case $2 in *.c) echo c ;; *) echo c++ ;; esac)" "$2" -o "$3" -L$stock
}
programs=$tree/../tests/ways/programs
for source in "$programs/info.c" "$programs"/info/*; do
  p=$(basename "$source" | sed 's/\..*//')
  build 19 "$source" $p || continue
  same 16 $p 2
  case $p in
  # stock copies firstprivate values and attaches in another order
  classes | pointers | mappers | deep) ;;
  info | structs) same_rows 32 $p ;; # another order
  *) same 32 $p 2 ;;
  esac
  case $p in
  # stock leaves mappings of mappers' components behind
  mappers | deep)
    same 1 $p 10
    checks=$((checks + 1))
    lines 4 "$ours:$stock" $p | tail -n 1 | grep -q 'table empty' || fail "$p leaves mappings"
    continue
    ;;
  info) for bits in 1 2 4; do same $bits $p 10; done ;;
  esac
  same 7 $p 20
  same_rows 8 $p # another order
  # the argument lists of Clang 19 and 22 differ if they have pointers
  case $p in sections | globals | updates | nowait | arrays) ;; *) continue ;; esac
  without_last_table $p.stock >$p.wanted
  build 22 "$source" $p.22 || continue
  checks=$((checks + 1))
  lines 7 "$ours:$stock" $p.22 | cmp -s - $p.wanted ||
    { fail "$p: different lines with Clang 22"; lines 7 "$ours:$stock" $p.22 | diff $p.wanted - | head; }
done
# Clang 22's entries for attached pointers have names
build 22 "$programs/info/structs.c" attached
checks=$((checks + 1))
lines 1 "$ours:$stock" attached | grep -q ' attach(v.p\[0:8\])\[8\]' || fail 'no attach entry'
done_testing

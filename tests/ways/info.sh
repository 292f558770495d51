#!/bin/sh
# Description: LIBOMPTARGET_INFO's bits 1 (arguments of constructs), 2 (mappings that are found), 4 (tables behind
# them), 8 (entries that come and go), 16 (kernels) and 32 (copies) give the same lines as the installed stock library
# for the same program, addresses aside: structs, sections, globals, updates, parts, nowait, classes, holds. Of 16, the
# number of threads is ours: stock's CPU device says 1 whatever runs. What Clang 22 compiles, which no
# stock library here can run, gives the lines of Clang 19's where both pass the same lists.
name=ways_info
. tests/tools/lib.sh
stock=/usr/lib/llvm-19/lib
[ -e $stock/libomptarget.so.19.1 ] || { echo "skipped: no stock libomptarget"; exit 77; }
ours=$tree/lib/glibc/shared-cpu
flags="-fopenmp -fopenmp-extensions -fopenmp-version=52 -fopenmp-targets=x86_64-pc-linux-gnu -g -w -isystem $tree/include"
lines() { # lines BITS FOLDERS PROGRAM: without addresses, the other CPU devices of stock's, and its table at exit
  LIBOMPTARGET_INFO=$1 LD_LIBRARY_PATH=$2 ./"$3" 2>&1 >/dev/null |
    sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/(Launching .*) [0-9]+ threads/\1 N threads/' |
    grep -v -e 'device [1-9]' | sed '/after block at libomptarget:0:0/,$d'
}
no_end() { # no_end FILE: without the empty table of stock's at exit
  sed '${/table empty$/d}' "$1"
}
same() { # same BITS PROGRAM [lines at least]
  checks=$((checks + 1))
  lines "$1" $stock "$2" >"$2.stock"
  lines "$1" "$ours:$stock" "$2" >"$2.ours"
  [ "$(wc -l <"$2.stock")" -ge "${3:-4}" ] || fail "$2: stock says little for $1"
  cmp -s "$2.stock" "$2.ours" && return
  no_end "$2.stock" >"$2.cut"
  cmp -s "$2.cut" "$2.ours" || { fail "$2: other lines for LIBOMPTARGET_INFO=$1"; diff "$2.cut" "$2.ours" | head -20; }
}
same_rows() { # same_rows BITS PROGRAM: in whatever order
  checks=$((checks + 1))
  lines "$1" $stock "$2" | sort >"$2.$1.stock"
  lines "$1" "$ours:$stock" "$2" | sort >"$2.$1.ours"
  [ -s "$2.$1.stock" ] || fail "$2: stock says nothing for $1"
  cmp -s "$2.$1.stock" "$2.$1.ours" || { fail "$2: other rows for LIBOMPTARGET_INFO=$1"; diff "$2.$1.stock" "$2.$1.ours"; }
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
  # stock copies values of firstprivate variables, which kernels on the CPU get without a copy; attaches in another order
  classes | pointers | mappers | deep) ;;
  info | structs) same_rows 32 $p ;; # two variables in another order
  *) same 32 $p 2 ;;
  esac
  case $p in
  # counts of mappers' components and of implicit hops, which stock leaves behind: here they are gone at the end
  mappers | deep)
    same 1 $p 10
    checks=$((checks + 1))
    lines 4 "$ours:$stock" $p | tail -n 1 | grep -q 'table empty' || fail "$p leaves mappings"
    continue
    ;;
  info) for bits in 1 2 4; do same $bits $p 10; done ;;
  esac
  same 7 $p 20
  same_rows 8 $p # the order in which a construct's entries go is not stock's
  # lists with pointers in them differ between the compilers
  case $p in sections | globals | updates | nowait | arrays) ;; *) continue ;; esac
  no_end $p.stock >$p.wanted
  build 22 "$source" $p.22 || continue
  checks=$((checks + 1))
  lines 7 "$ours:$stock" $p.22 | cmp -s - $p.wanted ||
    { fail "$p: other lines by Clang 22"; lines 7 "$ours:$stock" $p.22 | diff $p.wanted - | head; }
done
# Clang 22's own entries for pointers have a name in the lists
build 22 "$programs/info/structs.c" attached
checks=$((checks + 1))
lines 1 "$ours:$stock" attached | grep -q ' attach(v.p\[0:8\])\[8\]' || fail 'no entry that attaches'
done_testing

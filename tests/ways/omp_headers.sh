#!/bin/sh
# Description: Clang's omp.h and solo's give the same symbols and behaviour: static with both C libraries, dynamic, drop-in.
name=ways_either_header
. tests/tools/lib.sh
theirs=$(clang-19 -print-resource-dir)/include
[ -f "$theirs/omp.h" ] || { echo "skipped: no omp.h of Clang's (Debian: libomp-19-dev)"; exit 77; }
# the symbol of each function in Clang's omp.h
echo '#include <omp.h>' >declared.c
clang-19 -fopenmp -isystem "$theirs" -fsyntax-only -Xclang -ast-dump declared.c 2>error |
  sed -n "s/.*FunctionDecl.* \(\(omp\|ompc\|ompx\|kmp\)_[a-z0-9_]*\) '.*/\1/p" | sed 's/^ompc_/omp_/' | sort -u >functions
checks=$((checks + 1))
[ "$(wc -l <functions)" -gt 120 ] || fail "only $(wc -l <functions) functions found in Clang's omp.h"
{ echo '#include <omp.h>'
  echo 'void *all[] = {'
  sed 's/.*/  (void *)(&),/; s/(omp_is_initial_device)/0/' functions
  echo '0};'; } >all.c
works clang-19 -w -fopenmp -isystem "$theirs" -c all.c -o all-theirs.o
works clang-19 -w -fopenmp -isystem "$tree/include" -c all.c -o all-ours.o
nm -u all-theirs.o >symbols-theirs
nm -u all-ours.o >symbols-ours
works diff symbols-theirs symbols-ours

source=$tree/../tests/ways/programs/omp_headers.c
target=-fopenmp-targets=x86_64-pc-linux-gnu
works clang-19 -fopenmp $target -isystem "$theirs" -c "$source" -o theirs.o
works $cc theirs.o -o theirs-dynamic
wanted="format of 15: thread %n of %N
captured 13: thread 0 of 1
thread 0 of 1
level 0
$(./theirs-dynamic | grep '^on [0-9]')
allocates: host 1, device 1, from the CPU device's space 1"
says "$wanted" ./theirs-dynamic
works $cc --static --glibc theirs.o -o theirs-static && says "$wanted" ./theirs-static
for how in --static\ --musl --static\ --glibc ''; do
  works $cc $how "$source" -o ours && says "$wanted" ./ours
done
for include in "$theirs" "$tree/include"; do
  works clang-19 -fopenmp $target -isystem "$include" "$source" -o dropin -L"$tree/lib/glibc" \
    -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib && says "$wanted" ./dropin
done
done_testing

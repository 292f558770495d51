#!/bin/sh
# Description: checks that the public headers compile with Clang and gcc, as C and C++, and that their values agree with
# Clang 19's headers.
set -eu
cd "$(dirname "$0")/../.."
out=build/tests/kmpc/headers
mkdir -p $out
printf '#include <omp.h>\n#include <omp-tools.h>\n#include <ompx.h>\nint x;\n' >$out/all.c
cp $out/all.c $out/all.cc
for cc in clang-19 clang-22; do
  command -v $cc >/dev/null || continue
  $cc -Wall -Wextra -Werror -fopenmp -isystem build/include -c $out/all.c -o $out/x.o
  $cc -x c++ -Wall -Wextra -Werror -fopenmp -isystem build/include -c $out/all.cc -o $out/x.o
done
printf '#include <omp.h>\n#include <omp-tools.h>\nint x;\n' >$out/gcc.c
gcc -Wall -Wextra -Werror -std=c11 -Ibuild/include -c $out/gcc.c -o $out/x.o
theirs=$(clang-19 -print-resource-dir)/include
[ -f "$theirs/omp.h" ] || { echo "compiled; Clang's headers are not installed"; exit 0; }
# OpenMP 6.0, not in Clang 19
later='omp_null_mem_space|omp_(allocator|static|dynamic)_mempartition|omp_at[kv]_partitioner(_arg)?'
later="$later|omp_atk_(pin_device|preferred_device|device_access|target_access|atomic_scope|part_size)"
later="$later|omp_atv_(device|single|multiple|memspace)|omp_pause_stop_tool"
for header in omp.h omp-tools.h; do
  # the enumerators with their values
  sed -n 's/^ *\(\(omp\|ompt\|kmp\|llvm_omp\)_[a-z0-9_]*\) = .*/\1/p' build/include/$header | sort -u |
    grep -vE "^($later|omp_proc_bind_primary|omp_ifr_hsa|omp_initial_device|omp_invalid_device)\$" >$out/names
  for side in build/include "$theirs"; do
    { echo "#include <$side/$header>" | sed 's|<build|<'"$PWD"'/build|'
      echo '#include <stdio.h>'
      echo 'int main(void) {'
      awk '{print "printf(\"" $1 " %lld\\n\", (long long)" $1 ");"}' $out/names
      echo '}'; } >$out/print.c
    clang-19 -w -fopenmp $out/print.c -o $out/print -L/usr/lib/llvm-19/lib
    LD_LIBRARY_PATH=/usr/lib/llvm-19/lib $out/print >$out/values.$(basename "$(dirname "$side")")
  done
  diff $out/values.build $out/values.$(basename "$(dirname "$theirs")")
  echo "$header: $(wc -l <$out/names) values agree"
done

#!/bin/sh
# Description: checks with libomp that a target region is a new initial task: levels, orphaned constructs, device numbers.
. tests/dropin/lib.sh
echo "levels correct" >wanted
echo "orphans correct" >orphans
# more variables than the stack buffer of a fork
{
  echo '#include <stdio.h>'
  echo 'int main(void) { int sum = 0;'
  i=0
  while [ $i -lt 80 ]; do echo "int v$i = $i;"; i=$((i + 1)); done
  echo '#pragma omp target map(tofrom : sum)'
  echo '#pragma omp parallel num_threads(2) reduction(+ : sum)'
  echo '{'
  i=0
  while [ $i -lt 80 ]; do echo "  __atomic_fetch_add(&v$i, 1, 5); if (v$i >= $i + 1) sum += $i;"; i=$((i + 1)); done
  echo '} printf("%d", sum); putchar(10); return 0; }'
} >many.c
echo 6320 >many
for v in 19 22; do
  command -v clang-$v >/dev/null || continue
  for opt in -O0 -O2; do
    cc $v $opt -g "$programs/levels.c" -L"$lib" $(libomp $v) -o program || { fail "build $v"; continue; }
    expect "clang-$v $opt" wanted env OMP_MAX_ACTIVE_LEVELS=4 OMP_NUM_THREADS=4 ./program
    cc $v $opt "$programs/orphans.c" -L"$lib" $(libomp $v) -o orphans_program || { fail "build $v"; continue; }
    expect "clang-$v $opt, orphans" orphans timeout 60 env OMP_NUM_THREADS=4 ./orphans_program
  done
  cc $v -O1 many.c -L"$lib" $(libomp $v) -o many_program || { fail "build many $v"; continue; }
  expect "clang-$v, 80 variables" many env OMP_NUM_THREADS=2 ./many_program
done
finish

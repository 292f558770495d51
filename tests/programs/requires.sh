#!/bin/sh
# Description: checks the reports of different requires clauses. For the files of a static program, solo-link prints the
# warning of LLVM's libomptarget. For libraries, regions run on the host, or OMP_TARGET_OFFLOAD=mandatory ends the program.
set -u
prefix=$PWD/build
work=$prefix/tests/programs/requires
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
cat >a.c <<'END'
#include <stdio.h>
#ifdef A
#pragma omp requires A
#endif
int other(void);
int main(void) {
  int x = 1;
#pragma omp target map(x)
  x += 2;
  printf("%d %d\n", x, other());
  return x != 3 || other() != 5;
}
END
cat >b.c <<'END'
#ifdef B
#pragma omp requires B
#endif
int other(void) {
  int y = 1;
#pragma omp target map(y)
  y = 5;
  return y;
}
END
wrong=0
build() { # build NAME COMPILER [DEFINITION OF A] [OF B]; NAME.link contains the linker's messages
  for unit in a b; do
    definition=$3
    [ $unit = a ] || definition=$4
    SOLO_CLANG=$2 "$prefix/bin/solo-cc" --static -O1 $definition -c $unit.c -o $unit.o || exit 1
  done
  SOLO_CLANG=$2 "$prefix/bin/solo-cc" --static a.o b.o -o "$1" 2>"$1.link" || exit 1
  OMP_TARGET_OFFLOAD=mandatory ./"$1" >"$1.out" 2>&1 || { echo "$1: exit status $?"; cat "$1.out"; wrong=1; }
}
usm=unified_shared_memory
for clang in clang-19 clang-22; do
  build none $clang '' ''
  build both $clang -DA=$usm -DB=$usm
  build one $clang -DA=$usm ''
  build other $clang '' -DB=$usm
  for name in none both; do
    [ ! -s $name.link ] || { echo "$clang: $name: unexpected warning"; cat $name.link; wrong=1; }
  done
  for name in one other; do
    grep -qF "'#pragma omp requires $usm' not used consistently!" $name.link || { echo "$clang: $name: no warning"; wrong=1; }
  done
done
# a binary descriptor without device code: two units, one with the clause of REQUIRES
cat >d.c <<'END'
#include <stdint.h>
#include <stdio.h>
typedef struct {
  void *address;
  const char *name;
  size_t size;
  int32_t flags, data;
} entry;
typedef struct {
  int32_t images;
  void *image;
  entry *begin, *end;
} descriptor;
void __tgt_register_lib(descriptor *), __tgt_unregister_lib(descriptor *);
int main(void) {
  static entry entries[] = {{NULL, "", 0, 16, 1}, {NULL, "", 0, 16, REQUIRES}};
  static descriptor library = {0, NULL, entries, entries + 2};
  int x = 1;
  __tgt_register_lib(&library);
#pragma omp target map(x)
  x++;
  __tgt_unregister_lib(&library);
#pragma omp target map(x)
  x += 10;
  printf("%d\n", x);
  return x != 12;
}
END
number=1
for clause in none reverse_offload unified_address unified_shared_memory dynamic_allocators; do
  SOLO_CLANG=clang-19 "$prefix/bin/solo-cc" -DREQUIRES=$number d.c -o d_$clause || exit 1
  ./d_$clause >d_$clause.out 2>&1 || { echo "$clause: the fallback to the host fails"; wrong=1; }
  message="'#pragma omp requires $clause' not used consistently!"
  OMP_TARGET_OFFLOAD=mandatory ./d_$clause >d_$clause.mandatory 2>&1
  ended=$?
  if [ $clause = none ]; then
    [ $ended -eq 0 ] && [ "$(cat d_none.mandatory)" = 12 ] || { echo "none: exit status $ended, expected 0"; wrong=1; }
  else
    [ $ended -eq 134 ] || { echo "$clause: exit status $ended, expected 134"; wrong=1; }
    grep -qF "$message" d_$clause.mandatory && grep -qF "$message" d_$clause.out || { echo "$clause: no message"; wrong=1; }
  fi
  number=$((number * 2))
done
exit $wrong

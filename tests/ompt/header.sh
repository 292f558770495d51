#!/bin/sh
# Description: checks that omp-tools.h has all types, enumerators and fields of Clang 19's header, with the same sizes,
# values and offsets (without OMPD).
set -u
work=build/tests/ompt/header
mkdir -p $work
theirs=$(clang-19 -print-resource-dir 2>/dev/null)/include/omp-tools.h
[ -f "$theirs" ] || { echo "skipped: no omp-tools.h of clang-19"; exit 77; }
# one printf per type, enumerator and field of LLVM's header
awk '
  /^typedef struct ompd|^typedef enum ompd/ { skip = 1 }
  /^typedef (struct|union|enum) ompt/ { depth = 1; kind = $2; fields = 0; next }
  depth && /^ *union *\{/ { inner = 1; next }
  depth && inner && /^ *\} *[a-z]+;/ { inner = 0; next }
  depth && /^\}/ {
    if (!skip) {
      name = $2
      sub(/;.*/, "", name)
      printf "  printf(\"%s %%zu\\n\", sizeof(%s));\n", name, name
      for (i = 0; i < fields; i++) printf "  printf(\"%s.%s %%zu\\n\", offsetof(%s, %s));\n", name, field[i], name, field[i]
    }
    depth = skip = 0
    next
  }
  depth && kind == "enum" && match($0, /ompt_[a-z_0-9]+ *=/) {
    name = substr($0, RSTART, RLENGTH)
    sub(/ *=/, "", name)
    if (!skip) printf "  printf(\"%s %%lld\\n\", (long long)%s);\n", name, name
    next
  }
  depth && kind != "enum" && match($0, /[a-z_]+;/) {
    name = substr($0, RSTART, RLENGTH - 1)
    field[fields++] = inner ? "record." name : name
  }
  !depth && match($0, /^typedef [a-z].*\(\*ompt_[a-z_]+_t\)/) {
    match($0, /ompt_[a-z_]+_t\)/)
    name = substr($0, RSTART, RLENGTH - 1)
    printf "  printf(\"%s %%zu\\n\", sizeof(%s));\n", name, name
  }
' "$theirs" >$work/facts
[ "$(wc -l <$work/facts)" -gt 300 ] || { echo "failed: only $(wc -l <$work/facts) facts found"; exit 1; }
wrong=0
for side in theirs ours; do
  { echo '#include <stddef.h>'
    echo '#include <stdio.h>'
    if [ $side = ours ]; then echo '#include "abi/include/omp-tools.h"'; else echo "#include \"$theirs\""; fi
    echo 'int main(void) {'
    cat $work/facts
    echo '}'; } >$work/$side.c
  clang-19 -w -I. $work/$side.c -o $work/$side || { echo "$side: does not compile"; wrong=1; continue; }
  $work/$side >$work/$side.out
done
[ $wrong -eq 0 ] && diff $work/theirs.out $work/ours.out && echo "$(wc -l <$work/facts) facts agree" || exit 1
for standard in -std=c99 -std=c++11; do
  case $standard in *++*) language=c++ ;; *) language=c ;; esac
  echo '#include "abi/include/omp-tools.h"' | clang-19 -I. -x $language $standard -pedantic-errors -Wall -Werror \
    -fsyntax-only - || exit 1
done

#!/bin/sh
# Description: checks that each operation executes at most 5 % more instructions than bench/baseline.json states. After an
# improvement, `build/bench/solo-bench --count --update` writes this file.
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
[ -f build/lib/musl/libsolo.a ] || { echo "skipped: no musl library was configured"; exit 77; }
exec build/bench/solo-bench --count

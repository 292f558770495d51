#!/bin/sh
# Description: instructions per operation against bench/baseline.json: at most 5 % more. After a
# change for the better: `build/bench/solo-bench --count --update`.
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
[ -f build/lib/musl/libsolo.a ] || { echo "skipped: no musl library was configured"; exit 77; }
exec build/bench/solo-bench --count

#!/bin/sh
# Description: checks that instructions per operation exceed bench/baseline.json by at most 5 %. After an improvement:
# `build/bench/solo-bench --count --update`.
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
[ -f build/lib/musl/libsolo.a ] || { echo "skipped: no musl library was configured"; exit 77; }
exec build/bench/solo-bench --count

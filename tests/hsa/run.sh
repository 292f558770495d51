#!/bin/sh
# Runs one test program of the hsa backend: run.sh VARIANT PROGRAM [ARGUMENT...]. Skipped when the
# backend was not chosen by configure.sh.
program=build/$1/tests/hsa/$2
[ -x "$program" ] || {
  echo "skipped: backend hsa was not configured"
  exit 77
}
[ "$2" = print_kernarg ] && exec sh tests/hsa/kernarg.sh "$program" build/hsa-images
shift 2
exec "$program" "$@"

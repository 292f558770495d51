#!/bin/sh
# Runs a test program of the hsa backend, if that is configured: run.sh VARIANT PROGRAM [ARGUMENT...]
program=build/$1/tests/hsa/$2
[ -x "$program" ] || {
  echo "skipped: backend hsa was not configured"
  exit 77
}
[ "$2" = print_kernarg ] && exec sh tests/hsa/kernarg.sh "$program" build/hsa-images
shift 2
exec "$program" "$@"

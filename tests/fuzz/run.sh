#!/bin/sh
# Runs one fuzz target: run.sh TARGET LIBFUZZER-OPTION...
# Crashes are written to build/fuzz/crashes/. The exit status is then 1, because 77 means "skipped".
target=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p build/fuzz/crashes
build/fuzz/fuzz_$target -artifact_prefix=build/fuzz/crashes/$target- -dict=tests/fuzz/tokens.dict \
  -max_len=24576 -error_exitcode=1 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=0 "$@" \
  "$work" build/fuzz/corpus/$target

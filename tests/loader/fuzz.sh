#!/bin/sh
# Description: runs the loader's fuzz target on the test images (fuzz.sh LIBFUZZER-OPTION...). A crash leaves its
# input in build/fuzz/crashes/ and exit status 1.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/new" "$work/seeds" build/fuzz/crashes
for linker in bfd lld; do
  for image in build/tests/loader/$linker/*.so; do
    [ "$(wc -c <"$image")" -gt 24576 ] || cp "$image" "$work/seeds/$linker-$(basename "$image")"
  done
done
build/fuzz/fuzz_loader -artifact_prefix=build/fuzz/crashes/loader- -dict=tests/fuzz/tokens.dict \
  -max_len=24576 -error_exitcode=1 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=0 "$@" \
  "$work/new" "$work/seeds"

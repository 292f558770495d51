#!/bin/sh
# ninja lint: all checks of this folder.
cd "$(dirname "$0")/../.." || exit 1
fail=0
for s in layering circles symbols atomics size orphans format names comments prose readme vendors mutations licences; do
  sh tests/lint/$s.sh || [ $? -eq 77 ] || fail=1
done
sh tests/lint/static_analysis.sh || fail=1
exit $fail

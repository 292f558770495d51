#!/bin/sh
# Description: checks that each fault of tests/mutations/*.list changes its source.
cd "$(dirname "$0")/../.." || exit 1
fail=0
count=0
cat tests/mutations/[!s]*.list >build/mutations.list || exit 1
while IFS='|' read -r name file _ _ expression; do
  case $name in '' | '#'*) continue ;; esac
  count=$((count + 1))
  sed "$expression" "$file" | cmp -s - "$file" && { echo "$name does not change $file"; fail=1; }
done <build/mutations.list
[ "$count" -gt 0 ] || { echo "tests/mutations has no faults"; exit 1; }
[ $fail = 0 ] && echo "$count faults"
exit $fail

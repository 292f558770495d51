#!/bin/sh
# Description: seeds.list has rows for each design document, complete rows, and names of existing tests.
cd "$(dirname "$0")/../.." || exit 1
fail=0
cat tests/*/tests.list tests/*/soak.list ports/*/tests.list | grep -v '^#' | awk '{ print $1 }' | sort -u >build/seed-tests
rows=0
while IFS='|' read -r seed statement program cpu nvidia amd vnvidia vamd more; do
  case $seed in \#*) continue ;; esac
  rows=$((rows + 1))
  [ -n "$vamd" ] && [ -z "$more" ] || { echo "wrong number of cells: $seed|$statement"; fail=1; }
  set -f
  for pattern in $cpu $nvidia $amd $vnvidia $vamd; do
    [ "$pattern" = - ] && continue
    found=no
    while read -r name; do
      # shellcheck disable=SC2254
      case $name in ${pattern%@*} | ${pattern%@*}!) found=yes; break ;; esac
    done <build/seed-tests
    [ $found = yes ] || { echo "no test matches $pattern:$statement($program)"; fail=1; }
  done
  set +f
done <tests/ways/seeds.list
for seed in 000 001 002 003 004; do
  grep -q "^$seed |" tests/ways/seeds.list || { echo "no row of seed $seed"; fail=1; }
done
echo "$rows rows"
exit $fail

#!/bin/sh
# Description: if a driver call fails, the region runs on the device or on the host with correct results, and
# the failure is reported. Each call fails in turn.
# test_survive.sh PROGRAM CUBIN CODE
set -u
out=$(mktemp)
trap 'rm -f "$out"' EXIT
fail=0 n=0 silent=0
while [ $n -lt 300 ]; do
  n=$((n + 1))
  SOLO_SPIN_US=0 SIM_TRACE=1 SIM_FAIL="*:$n:$3" "$1" "$2" survive >"$out" 2>&1
  rc=$?
  grep -q 'ordered to fail' "$out" || break
  if [ $rc != 0 ]; then
    echo "failed: call $n ($(grep 'ordered to fail' "$out")): exit status $rc"
    grep -v '^sim: cu' "$out"
    fail=1
  fi
  case $(grep 'ordered to fail' "$out") in
  *[dD]estroy* | *[fF]ree* | *[uU]nload* | *[rR]elease*) continue ;; # cannot report an error
  esac
  grep -q '^solo: ' "$out" || silent=$((silent + 1))
done
[ $n -gt 30 ] && [ $n -lt 300 ] || { echo "failed: the program made $n calls, expected 31 to 299"; fail=1; }
echo "each of $((n - 1)) calls failed once with $3; $silent failures had no effect"
[ $silent -lt $((n / 4)) ] || { echo "failed: too many failures are not reported"; fail=1; }
exit $fail

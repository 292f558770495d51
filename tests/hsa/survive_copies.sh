#!/bin/sh
# Description: accepted copies fail in turn. The program computes correct results on the host and reports
# the failure. With mandatory offload the program ends.
# survive_copies.sh PROGRAM CODE-OBJECT
set -u
[ -x "$1" ] || {
  echo "skipped: backend hsa was not configured"
  exit 77
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
fail=0 n=0
while [ $n -lt 100 ]; do
  n=$((n + 1))
  SOLO_SPIN_US=0 SIM_TRACE=1 SIM_FAIL_COPY=$n timeout 20 "$1" "$2" survive >"$out" 2>&1
  rc=$?
  grep -q 'ordered to fail' "$out" || break
  if [ $rc != 0 ] || ! grep -q '^solo: .*an accepted copy failed' "$out"; then
    echo "failed: copy $n: exit status $rc"
    grep -v '^sim: hsa' "$out"
    fail=1
  fi
done
[ $n -gt 5 ] && [ $n -lt 100 ] || { echo "failed: the program made $n copies, expected 6 to 99"; fail=1; }
echo "each of $((n - 1)) copies failed once"
OMP_TARGET_OFFLOAD=MANDATORY SIM_FAIL_COPY=3 timeout 20 "$1" "$2" survive >"$out" 2>&1 && {
  echo "failed: with mandatory offload the program continued after a failed copy"
  fail=1
}
OMP_TARGET_OFFLOAD=MANDATORY timeout 20 "$1" "$2" crash >"$out" 2>&1 && {
  echo "failed: with mandatory offload the program continued after a crashed kernel"
  fail=1
}
grep -q 'HSA_STATUS_ERROR_MEMORY_FAULT' "$out" || { echo "failed: no HSA_STATUS_ERROR_MEMORY_FAULT in the message"; cat "$out"; fail=1; }
exit $fail

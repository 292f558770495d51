#!/bin/sh
# Description: runs the conformance suite on a device server. Sanitizer reports of the server fail the test, except deliberate faults.
#   conformance.sh VARIANT KIND
variant=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
sh ports/conformance/run.sh "$variant" "remote_$2" >"$log" 2>&1
rc=$?
grep -vE '^(=|#| |  *#|[a-z0-9]+ = |Thread T|The signal|Hint)' "$log"
if grep -E 'SUMMARY: |LeakSanitizer' "$log" | grep -v 'Sanitizer: SEGV' | grep -q .; then
  echo "failed: a sanitizer reported an error in the device server"
  cat "$log"
  exit 1
fi
exit $rc

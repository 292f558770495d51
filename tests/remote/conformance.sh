#!/bin/sh
# Description: the conformance suite over a device server: conformance.sh VARIANT KIND. What the
# server's sanitizers say counts too, except that kernels fault on purpose.
variant=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
sh ports/conformance/run.sh "$variant" "remote_$2" >"$log" 2>&1
rc=$?
grep -vE '^(=|#| |  *#|[a-z0-9]+ = |Thread T|The signal|Hint)' "$log"
if grep -E 'SUMMARY: |LeakSanitizer' "$log" | grep -v 'Sanitizer: SEGV' | grep -q .; then
  echo "failed: the device server's sanitizer found something"
  cat "$log"
  exit 1
fi
exit $rc

#!/bin/sh
# Description: runtime/backend.h, runtime/backend_operations.h and the table in ports/PORTING.md list the same
# operations; skeleton, adapters and PORTING.md stay within their sizes.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0
fail() {
  echo "lint_contract: $*"
  bad=1
}
dir=build/lint-contract
mkdir -p $dir
awk '/^  \/\* R /{kind="required"} /^  \/\* o /{kind="optional"}
  match($0, /\(\*[a-z_]+\)\(/) && kind {print substr($0, RSTART + 2, RLENGTH - 4), kind; kind=""}' \
  runtime/backend.h >$dir/header
awk '/^  REQUIRED\(/{k="required"} /^  OPTIONAL\(/{k="optional"} /^  (REQUIRED|OPTIONAL)\(/{
  sub(/^[^(]*\(/, ""); sub(/\).*/, ""); print $0, k}' runtime/backend_operations.h >$dir/call
awk -F '|' '/^\| `[a-z_]+` \|/{gsub(/[ `]/, "", $2); gsub(/ /, "", $3); print $2, $3}' \
  ports/PORTING.md >$dir/porting
n=$(wc -l <$dir/header)
fields=$(sed -n '/^typedef struct solo_backend {/,/^} solo_backend;/p' runtime/backend.h |
  grep -c '(\*[a-z_]*)(')
[ "$n" -eq "$fields" ] || fail "backend.h: $fields operations, $n with an R or o in the comment above"
diff $dir/header $dir/call || fail "backend.h and SOLO_BACKEND_OPERATIONS differ"
diff $dir/header $dir/porting || fail "backend.h and the table of PORTING.md differ"

lines() { cat "$@" | wc -l; }
skeleton=$(lines ports/skeleton/*.[ch])
[ "$skeleton" -le 400 ] || fail "the skeleton has $skeleton lines, 400 are allowed"
for f in ports/conformance/*.ninja; do
  adapter=${f%.ninja}.c
  [ -f "$adapter" ] || { fail "$f without $adapter"; continue; }
  [ "$(lines "$adapter")" -le 150 ] || fail "$adapter: more than 150 lines"
done
[ "$(lines ports/PORTING.md)" -le 250 ] || fail "PORTING.md: more than 250 lines"
echo "$n operations, $(grep -c required $dir/header) required; a new backend: $skeleton lines"
exit $bad

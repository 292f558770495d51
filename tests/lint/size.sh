#!/bin/sh
# Description: checks the limits: 600 lines per file, 300 per header (1,000 in abi/include), 80 per function. Prints the
# lines per folder.
cd "$(dirname "$0")/../.." || exit 1
fail=0
for f in $(find runtime abi backends tools ports tests bench examples -name '*.[ch]' -o -name '*.cpp' | grep -v '^build/'); do
  n=$(wc -l <"$f")
  limit=600
  case $f in
  abi/include/*) limit=1000 ;;
  *.h) limit=300 ;;
  esac
  [ "$n" -le $limit ] || { echo "$f has $n lines, limit $limit"; fail=1; }
done
# A function begins at the last line in the first column before its `{`. A head with `=` is data.
long=$(awk '
  FNR == 1 { start = head = 0 }
  /\\$/ { head = 0; next }
  /^[A-Za-z_]/ { head = FNR; text = "" }
  head { text = text $0 }
  head && /;$/ { head = 0 }
  head && /\{$/ { if (text ~ /\(/ && text !~ /=[^=]*\{$/) { start = head; functions++ } head = 0 }
  /^\}$/ { ends++ }
  /^\}/ { if (start && FNR - start > 80) print FILENAME ":" start ": " FNR - start " lines"; start = head = 0 }
  END { if (functions < 0.95 * ends) print "found only " functions + 0 " heads of " ends " functions" }' \
  $(find runtime abi backends tools ports -name '*.c'))
[ -z "$long" ] || { echo "functions over 80 lines, or not found:"; echo "$long"; fail=1; }
for d in runtime runtime/*/ abi abi/*/ abi/kmpc/*/ backends backends/*/ tools ports/skeleton; do
  printf '%6d  %s\n' "$(find "$d" -maxdepth 1 -name '*.[ch]' -exec cat {} + | wc -l)" "${d%/}"
done
exit $fail

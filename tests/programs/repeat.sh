#!/bin/sh
# Description: repeats a test until it fails: repeat.sh COUNT COMMAND...
count=$1
shift
for round in $(seq "$count"); do
  "$@" >build/repeat.$$ 2>&1
  rc=$?
  [ $rc -eq 77 ] && cat build/repeat.$$ && rm -f build/repeat.$$ && exit 77
  [ $rc -eq 0 ] || { cat build/repeat.$$; echo "round $round of $count: exit status $rc"; rm -f build/repeat.$$; exit 1; }
done
rm -f build/repeat.$$
echo "$count times"

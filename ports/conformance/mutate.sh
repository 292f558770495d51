#!/bin/sh
# Description: each fault of mutations.list, in a copy of the skeleton, must make its case fail.
#   mutate.sh [NAME...]
set -u
cd "$(dirname "$0")/../.." || exit 1
v=build/check
dir=build/mutations
[ -x $v/ports/conformance_skeleton ] || {
  echo "skipped: build/check/ports/conformance_skeleton is not built"
  exit 77
}
if $v/ports/conformance_skeleton none 2>&1 | grep -q '^skipped'; then
  echo "skipped: a library with one backend calls that backend only"
  exit 77
fi
mkdir -p $dir
flags='-std=c11 -O1 -g -fPIC -fvisibility=hidden -DSOLO_CHECK=1 -DSOLO_COUNT_LOCKS=1 -I.'
wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc
wrap=$wrap,--wrap=posix_memalign,--wrap=pthread_mutex_lock,--wrap=mmap
caught=0
escaped=0
while read -r name file case expression; do
  case $name in '' | '#'*) continue ;; esac
  if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
  sed "$expression" "ports/skeleton/$file" >"$dir/$file"
  if cmp -s "ports/skeleton/$file" "$dir/$file"; then
    echo "STALE    $name: changes nothing in $file"
    escaped=$((escaped + 1))
    continue
  fi
  objects=
  for o in $v/ports/skeleton/*.o $v/ports/skeleton/driver/*.o; do
    [ "$(basename "$o" .o)" = "$(basename "$file" .c)" ] || objects="$objects $o"
  done
  if ! gcc $flags -w -c "$dir/$file" -o "$dir/$name.o" ||
    ! gcc -pthread -o "$dir/$name" $v/ports/conformance/skeleton.o $v/ports/suite.o \
      "$dir/$name.o" $objects $v/solo_test.o $v/libsolo_test.a $wrap -lm; then
    echo "BROKEN   $name: does not build"
    escaped=$((escaped + 1))
    continue
  fi
  if timeout -k 5 100 "$dir/$name" "$case" >"$dir/$name.log" 2>&1 </dev/null; then
    echo "ESCAPED  $name: $case passed"
    escaped=$((escaped + 1))
  elif grep -q "^FAIL     $case" "$dir/$name.log"; then
    echo "caught   $name by $case"
    caught=$((caught + 1))
  else
    echo "UNCLEAR  $name: $(tail -n 1 "$dir/$name.log")"
    escaped=$((escaped + 1))
  fi
  rm -f "$dir/$name" "$dir/$name.o"
done <ports/conformance/mutations.list
echo "$caught faults caught, $escaped not"
[ $escaped -eq 0 ] && { [ $# -gt 0 ] || [ $caught -ge 20 ]; }

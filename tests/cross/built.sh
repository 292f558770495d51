#!/bin/sh
# Description: test programs of tests/cross/checks.ninja run under qemu-user.   built.sh HOST unit|stress|conformance
. tests/cross/lib.sh
folder=build/$host/check
case $2 in
unit)
  for source in tests/unit/test_*.c; do
    name=$(basename "$source" .c) && name=${name#test_}
    check "unit-$name" timeout 100 $qemu "$folder/tests/unit/test_$name"
  done
  ;;
stress) # test_fork: qemu-user 7.2 loses its threads in fork(2)
  for name in races others exact edges; do
    check "stress-$name" timeout 200 $qemu "$folder/tests/stress/test_$name"
  done
  ;;
conformance)
  check conformance-host timeout 200 $qemu "$folder/ports/conformance_host"
  ;;
esac
finish

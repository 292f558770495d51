#!/bin/sh
# Description: runs each program of programs/ in an unusual environment (offloading mandatory).
#   run.sh FORM [NAME...]     FORM: musl, glibc (both static), dropin; NAME: programs/NAME.c
cd "$(dirname "$0")/../.." || exit 1
form=$1
shift
dir=${HOSTILE_DIR:-build/tests/hostile}
mkdir -p "$dir"
case $form in
dropin) cc=build/bin/solo-cc ;;
*) cc="build/bin/solo-cc --static --$form" ;;
esac
[ $# -gt 0 ] || set -- $(cd tests/hostile/programs && ls ./*.c | sed 's|./||; s|\.c$||')
bad=0
for name; do
  wrap=
  [ "$name" = malloc_fails ] &&
    wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign
  $cc -I. -O1 -g -w "tests/hostile/programs/$name.c" -o "$dir/$name.$form" $wrap || exit 1
  OMP_TARGET_OFFLOAD=mandatory timeout 300 "$dir/$name.$form" >"$dir/$name.$form.out" 2>&1 && continue
  echo "$name, $form: exit status $?"
  tail -5 "$dir/$name.$form.out"
  bad=1
done
[ $bad = 0 ] && echo ok
exit $bad

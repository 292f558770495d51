#!/bin/sh
# Description: the device server of an OpenMP program is killed between two regions or during a region. The host
# computes the right result, or the program ends with the reason (OMP_TARGET_OFFLOAD=mandatory). The program never hangs.
#   killed.sh VARIANT
set -u
variant=$1
. tests/remote/lib.sh
bad() { echo "failed: $*"; cat "$dir/out" "$dir/err"; fail=1; }
build tests/remote/killed.c killed || exit 1
await() { # await PATTERN FILE
  n=0
  until grep -q "$1" "$2" 2>/dev/null || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
  [ $n != 600 ] || bad "$when, $policy: no '$1' in the output"
}
mkfifo "$dir/in"
for when in between during; do
  for policy in default mandatory; do
    name=solo-killed-$$-$policy
    : >"$dir/listens"
    : >"$dir/out" # removes the text of the previous program
    SOLO_HOST_DEVICES=1 LD_PRELOAD=$llvm/libomp.so.5 "$server" --listen=$name >"$dir/listens" 2>"$dir/server" &
    process=$!
    await "@$name" "$dir/listens"
    SOLO_SERVER=@$name SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=$policy OMP_NUM_THREADS=2 \
      timeout 60 "$dir/killed" $when <"$dir/in" >"$dir/out" 2>"$dir/err" &
    program=$!
    exec 3>"$dir/in"
    await 'first on the' "$dir/out"
    [ $when = between ] || sleep 1 # the program's kernel never ends
    kill -9 $process
    wait $process 2>/dev/null
    process=
    echo >&3 2>/dev/null
    exec 3>&-
    wait $program
    status=$?
    [ $status != 124 ] || bad "$when, $policy: the program hangs"
    grep -q 'first on the device' "$dir/out" || bad "$when, $policy: the first region was not on the device"
    if [ $policy = default ]; then
      [ $status = 0 ] || bad "$when: exit status $status"
      grep -q 'second on the host, 0 wrong' "$dir/out" || bad "$when: the second region was not right on the host"
    else
      [ $status -gt 124 ] || bad "$when: exit status $status, although offloading is mandatory"
      ! grep -q second "$dir/out" || bad "$when: the program continued, although offloading is mandatory"
    fi
    grep -q "device server @$name (process .*) has ended: its devices are lost" "$dir/err" ||
      bad "$when, $policy: the loss is not reported"
  done
done
[ $fail = 0 ] && echo "without its server, a program continues or ends as OMP_TARGET_OFFLOAD requires"
exit $fail

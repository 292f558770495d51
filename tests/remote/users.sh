#!/bin/sh
# Description: a program uses no server of another user, a server rejects programs of other users, and a program with elevated
# privileges starts no server. No program starts a server that another user can write. Needs root.
#   users.sh VARIANT    the server's variant
set -u
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
command -v setpriv >/dev/null || { echo "skipped: no setpriv"; exit 77; }
server=$PWD/build/$1/ports/solo-server
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
chmod 755 "$dir"
name=solo-test-users-$$
process=
trap '[ -z "$process" ] || kill $process 2>/dev/null; rm -rf "$dir"' EXIT
fail=0
bad() { echo "failed: $*"; cat "$dir/out"; fail=1; }
other=65533
cp "build/$1/tests/remote/one_user" "$dir/user"
as_other="setpriv --reuid $other --regid $other --clear-groups"
run() { timeout 60 "$@" >"$dir/out" 2>&1; }
says() { grep -q '^0 devices' "$dir/out" && grep -q "$1" "$dir/out" || bad "no '$1' in the output: $2"; }
serves() { grep -q '^1 devices: served' "$dir/out" || bad "no device is served: $1"; }

SOLO_HOST_DEVICES=1 "$server" --listen=$name >"$dir/listens" 2>"$dir/server" &
process=$!
n=0
until grep -q "@$name" "$dir/listens" || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
SOLO_SERVER=@$name run "$dir/user"
serves "the server of the same user"
SOLO_SERVER=@$name run $as_other "$dir/user"
says 'the server belongs to user 0' "another user's server"
# a program without the owner check
timeout 60 $as_other "$dir/user" $name >"$dir/out" 2>&1 || bad "another user's program was not rejected"
# the server logs both attempts
n=0
until [ "$(grep -c "connection of user $other refused" "$dir/server")" = 2 ] || [ $n = 100 ]; do sleep 0.1; n=$((n + 1)); done
[ $n != 100 ] || bad "the server does not log the rejected user: $(cat "$dir/server")"
SOLO_SERVER=@$name run "$dir/user"
serves "the server of the same user, afterwards"

# A set-id program ignores SOLO_SERVER. Only a static program would start the server in the program's folder.
why_not=
[ -f build/lib/musl-remote/libsolo.a ] || why_not='no musl library was configured'
case $(findmnt -no OPTIONS -T "$dir" 2>/dev/null) in
*nosuid*) why_not="$dir is mounted nosuid" ;;
esac
if [ -n "$why_not" ]; then
  echo "not tested: set-id programs: $why_not"
else
  cat >"$dir/program.c" <<'SOURCE'
#define main other_main
#include "tests/cuda/test_program.c"
#undef main
#include "abi/include/solo.h"
int main(int argc, char **argv) {
  if (argc > 1) register_image(argv[1]);
  printf("%d devices\n", omp_get_num_devices());
  solo_explain(stdout);
  return 0;
}
SOURCE
  musl-gcc -static -O1 -std=gnu11 -Wno-unused-function -I. "$dir/program.c" build/lib/musl-remote/libsolo.a -o "$dir/set-id" || exit 1
  cp "$server" "$dir/solo-server"
  export LD_LIBRARY_PATH="$PWD/build/sim/cuda:$PWD/build/sim/hsa"
  run "$dir/set-id" build/sim/cuda/program.cubin
  grep -q '^[1-9] devices' "$dir/out" || bad "no device with the server in the program's folder"
  chown $other "$dir/set-id"
  chmod 4755 "$dir/set-id"
  run "$dir/set-id" build/sim/cuda/program.cubin
  says 'elevated privileges' 'set-id'
  unset LD_LIBRARY_PATH
  rm "$dir/solo-server"
fi

printf '#!/bin/sh\nSOLO_HOST_DEVICES=1 exec %s "$@"\n' "$server" >"$dir/mine"
try() { # try OWNER:GROUP MODE WORDS
  chown "$1" "$dir/mine"
  chmod "$2" "$dir/mine"
  SOLO_SERVER=$dir/mine run "$dir/user"
  if [ -n "$3" ]; then says "$3" "$1 $2"; else serves "$1 $2"; fi
}
try 0:0 755 ''
try 0:0 775 ''
try 0:$other 755 ''
try 0:$other 775 'a group other than'
try $other:$other 755 'it belongs to another user'
try $other:$other 775 'it belongs to another user'
try 0:0 757 'all users can write to it'
try 0:0 2755 'it is set-user-ID or set-group-ID'
[ $fail = 0 ] && echo "servers serve programs of the same user only"
exit $fail

#!/bin/sh
# Description: 10,000 connections send nothing, a part of a hello or random bytes. The server still serves programs
# afterwards, and frees the threads and descriptors of the connections.
#   flood.sh VARIANT    the server's variant
set -u
server=$PWD/build/$1/ports/solo-server
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
name=solo-test-flood-$$
process=
trap '[ -z "$process" ] || kill $process 2>/dev/null; rm -rf "$dir"' EXIT
SOLO_HOST_DEVICES=1 "$server" --listen=$name >"$dir/listens" 2>"$dir/server" &
process=$!
n=0
until grep -qs "@$name" "$dir/listens" || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
serves() {
  SOLO_SERVER=@$name timeout 100 "build/$1/tests/remote/one_user" >"$dir/out" 2>&1
  grep -q '^1 devices: served' "$dir/out" || { echo "failed: no device is served $2"; cat "$dir/out"; tail -n 3 "$dir/server"; exit 1; }
}
serves "$1" "before the flood"
count() { echo "$(ls /proc/$process/task | wc -l) threads, $(ls /proc/$process/fd | wc -l) descriptors"; }
sleep 1 # the first program's thread ends
before=$(count)
python3 - "$name" <<'END' || exit 1
import os, random, resource, socket, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
random.seed(1)
sent, held = 0, []
for n in range(10000):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.setblocking(n < 9000)  # the last thousand also fill the queue of the listening socket
    try:
        s.connect("\0" + sys.argv[1])
        sent += 1
        if n % 3:
            s.send(b"solover"[: n % 7 + 1] if n % 3 == 1 else os.urandom(random.randrange(1, 200)))
    except (BlockingIOError, BrokenPipeError, ConnectionError):
        pass  # the queue is full, or the server has refused
    held.append(s)
    if len(held) > min(hard - 64, 200 if n < 9000 else 1000):
        for s in held:
            s.close()
        held = []
print(sent, "connections reached the server")
sys.exit(sent < 9000)
END
serves "$1" "after the flood"
n=0
until [ "$(count)" = "$before" ] || [ $n = 300 ]; do sleep 0.1; n=$((n + 1)); done
[ "$(count)" = "$before" ] || { echo "failed: $before before the flood, $(count) after it"; exit 1; }
kill -0 $process || { echo "failed: the server has ended"; tail -n 3 "$dir/server"; exit 1; }

#!/bin/sh
# Description: systemd accepts the device server's unit (if its checker is installed), the unit starts a server, and the container
# example makes an image with a working server.
set -u
server=$PWD/build/bin/solo-server
[ -x "$server" ] || { echo "skipped: no device server was built"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
bad() { echo "failed: $*"; fail=1; }
unit=tools/solo-server@.service
sed "s|/usr/local/bin|$(dirname "$server")|" $unit >"$dir/solo-server@.service"
if command -v systemd-analyze >/dev/null; then
  systemd-analyze verify --man=no --recursive-errors=no "$dir/solo-server@.service" >"$dir/log" 2>&1 || bad "systemd-analyze rejects the unit: $(cat "$dir/log")"
  ! grep -F 'solo-server@.service' "$dir/log" || bad "the unit has warnings"
fi
# ExecStart with %i replaced must print the server's name
start=$(sed -n 's/^ExecStart=//p' "$dir/solo-server@.service" | sed "s/%i/solo-test-unit-$$/")
timeout 60 $start >"$dir/out" 2>&1 &
n=0
until [ -s "$dir/out" ] || [ $n = 600 ]; do sleep 0.1; n=$((n + 1)); done
kill $!
wait
grep -q "SOLO_SERVER=@solo-test-unit-$$" "$dir/out" || bad "the unit's command failed: $start: $(cat "$dir/out")"
if [ "$(id -u)" = 0 ] && command -v chroot >/dev/null; then
  sh examples/server_image.sh "$server" "$dir/image.tar" >"$dir/log" 2>&1 || bad "cannot make the image: $(cat "$dir/log")"
  mkdir "$dir/root"
  tar -C "$dir/root" -xf "$dir/image.tar" || bad "the image is not an archive"
  # in a container the loader finds libsolo_drv.so through /proc
  LD_LIBRARY_PATH=/lib/solo/glibc chroot "$dir/root" /bin/solo-server --version >"$dir/out" 2>&1 || bad "the image's server failed: $(cat "$dir/out")"
fi
[ $fail = 0 ] && echo "the unit and the image start a server"
exit $fail

#!/bin/sh
# emulated.sh HOST COMMAND...      HOST: aarch64-linux-gnu, riscv64-linux-gnu
# Runs COMMAND with qemu-user for programs of HOST, in a user namespace with separate binary formats
# (Linux 6.7) and mounts. Root only. Exit status 77: not possible on this machine.
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
skip() { echo "skipped: $*"; exit 77; }

if [ "$1" = --inside ]; then
  emulator=$2 machine=$3
  shift 3
  case $machine in
  aarch64) number='\xb7\x00' ;;
  riscv64) number='\xf3\x00' ;;
  esac
  formats=/proc/sys/fs/binfmt_misc
  mount -t binfmt_misc none $formats 2>/dev/null || skip "this kernel has no binary formats of a user namespace's own"
  # Matches ET_EXEC and ET_DYN files of the machine. Flag F: the kernel opens the emulator now.
  head='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff'
  printf '%s' ":solo-$machine:M::$head$number:$mask\\xff\\xff:$emulator:OCF" >$formats/register ||
    skip "the kernel does not take $emulator for programs of $machine"
  exec "$@"
fi

host=$1
shift
machine=${host%%-*}
[ "$(id -u)" = 0 ] || skip "a user namespace with all users is made by root"
command -v unshare >/dev/null || skip "no unshare"
emulator=$(command -v "qemu-$machine-static") || { # static: needs no libraries
  emulator=$top/build/sysroot/qemu/usr/bin/qemu-$machine-static
  [ -x "$emulator" ] || (
    mkdir -p build/sysroot/qemu && cd build/sysroot/qemu && rm -f ./*.deb &&
      apt-get download qemu-user-static && dpkg-deb -x qemu-user-static_*.deb . && rm -f ./*.deb
  ) >/dev/null 2>&1 || skip "no qemu-$machine-static, and its package cannot be fetched"
}
go=$(mktemp -u) && mkfifo "$go" || exit 1
unshare -U -m sh -c 'read -r _ <"$0"; exec "$@"' "$go" sh "$top/ports/cross/emulated.sh" \
  --inside "$emulator" "$machine" "$@" &
child=$!
tries=0
until [ "$(readlink /proc/$child/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do
  tries=$((tries + 1))
  if [ $tries -gt 600 ] || ! kill -0 $child 2>/dev/null; then
    kill $child 2>/dev/null
    rm -f "$go"
    skip "no user namespaces"
  fi
  sleep 0.1
done
if echo '0 0 65536' >/proc/$child/uid_map && echo '0 0 65536' >/proc/$child/gid_map; then
  echo go >"$go"
else
  kill $child
fi
wait $child
status=$?
rm -f "$go"
exit $status

#!/bin/sh
# Description: solo-info in an MPI job shows the host, rank, process and driver of each device, stable ids, and the
# reason if a rank has no devices. If solo-info runs on all ranks, the other ranks become servers.
#   mpi_info.sh VARIANT MPI
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2
server=build/$variant/ports/$mpi/solo-server-$mpi
info=build/bin/solo-info-$mpi
mpi_ready "$mpi" "$server"
mpi_ready "$mpi" "$info"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
host=$(uname -n)
bad() { echo "failed: $*"; cat "$dir/out" "$dir/err"; fail=1; }
has() { grep -qE -- "$1" "$dir/$2" || bad "missing in the output: $1"; }
job() { # job NAME: two servers with two devices, one without
  mpi_run "$mpi" -n 1 "$info" : -n 2 env SIM_DEVICES=2 "$server" : -n 1 env SIM_DEVICES=0 "$server" \
    >"$dir/out" 2>"$dir/err" || bad "$1: exit status $?"
}
unset SOLO_SERVER
SOLO_HOST_DEVICES=1 SOLO_SERVER_BACKENDS=cuda
export SOLO_HOST_DEVICES SOLO_SERVER_BACKENDS
job "the first time"
has '^remote-cuda 4 devices' out
for rank in 1 2; do
  [ "$(grep -cE "^    device server mpi:$rank on $host, process [0-9]+, driver cuda" "$dir/out")" = 2 ] ||
    bad "rank $rank does not have two devices"
  [ "$(grep -cE "^    uid $host\+mpi:$rank/" "$dir/out")" = 2 ] || bad "rank $rank: not two ids"
done
[ "$(grep -oE 'mpi:1 on .*, process [0-9]+' "$dir/out" | sort -u | grep -oE '[0-9]+$')" != \
  "$(grep -oE 'mpi:2 on .*, process [0-9]+' "$dir/out" | sort -u | grep -oE '[0-9]+$')" ] || bad "two ranks with the same process"
has 'missing: .*mpi:3: ' out
grep '^    uid' "$dir/out" >"$dir/uids"
[ "$(sort -u "$dir/uids" | wc -l)" -ge 5 ] || bad "the ids are not different"
job "the second time"
grep '^    uid' "$dir/out" | cmp -s - "$dir/uids" || bad "the ids differ the second time"
# the other ranks become servers with CPU devices
unset SOLO_SERVER_BACKENDS
mpi_run "$mpi" -n 3 "$info" --devices >"$dir/out" 2>"$dir/err" || bad "three times solo-info: exit status $?"
[ "$(grep -c '^remote-host 2 devices' "$dir/out")" = 1 ] || bad "three times solo-info: not two CPU devices on other ranks"
has "device server mpi:2 on $host, process [0-9]+, driver host" out
# the first rank shares memory with the program; SOLO_TEST_FAR prevents that for the second
SOLO_SERVER_BACKENDS=cuda
export SOLO_SERVER_BACKENDS
SOLO_SERVER_SHARED_MEMORY=on mpi_run "$mpi" -n 1 "$info" : -n 1 env SIM_DEVICES=1 "$server" : -n 1 env SIM_DEVICES=1 SOLO_TEST_FAR=1 "$server" \
  >"$dir/out" 2>"$dir/err" || bad "one near, one far: exit status $?"
has "device server mpi:1 on $host, process [0-9]+, driver cuda\$" out
has "device server mpi:2 on $host, process [0-9]+, driver cuda, over MPI\$" out
SOLO_SERVER_SHARED_MEMORY=off mpi_run "$mpi" -n 1 "$info" : -n 1 env SIM_DEVICES=1 "$server" >"$dir/out" 2>"$dir/err" ||
  bad "none near: exit status $?"
has "device server mpi:1 on $host, process [0-9]+, driver cuda, over MPI\$" out
unset SOLO_SERVER_BACKENDS
timeout 60 "$info" >"$dir/out" 2>"$dir/err" || bad "alone: exit status $?"
grep -q '^remote-' "$dir/out" && bad "alone: solo-info lists remote devices"
[ $fail = 0 ] && echo "solo-info shows the location of devices on other ranks"
exit $fail

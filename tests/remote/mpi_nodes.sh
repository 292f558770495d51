#!/bin/sh
# Description: runs the conformance suite and test_mpi_lost.c on simulated nodes: each rank has its own network, host name
# and shared memory (needs root and iproute2).
#   mpi_nodes.sh VARIANT MPI
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2
server=$PWD/build/$variant/ports/$mpi/solo-server-$mpi
suite=$PWD/build/$variant/ports/$mpi/conformance_remote_host
B=$PWD/build/$variant/tests/remote/$mpi/test_mpi_lost
mpi_ready "$mpi" "$B"
[ "$(id -u)" = 0 ] && command -v ip >/dev/null && unshare --net --uts --ipc --mount true 2>/dev/null ||
  { echo "skipped: no namespaces (root and iproute2 make them)"; exit 77; }
dir=$(mktemp -d)
bridge=sb$$
net=198.18.$(($$ % 256)) # a network for tests (RFC 2544)
end() {
  for n in 1 2 3 4 5; do ip netns del "solo-$$-$n" 2>/dev/null; done
  ip link del $bridge 2>/dev/null
  rm -rf "$dir"
}
trap end EXIT
fail=0
ip link add $bridge type bridge && ip addr add "$net.100/24" dev $bridge && ip link set $bridge up || exit 1
for n in 1 2 3 4 5; do
  ip netns add "solo-$$-$n" && ip link add "s$n-$$" type veth peer name node netns "solo-$$-$n" &&
    ip link set "s$n-$$" master $bridge up && ip -n "solo-$$-$n" addr add "$net.$n/24" dev node &&
    ip -n "solo-$$-$n" link set node up && ip -n "solo-$$-$n" link set lo up || exit 1
done
# The launchers' ssh: OPTIONS ADDRESS COMMAND
cat >"$dir/ssh" <<END
#!/bin/bash
while [ "\${1#-}" != "\$1" ]; do shift; done
n=\${1##*.}
shift
exec ip netns exec "solo-$$-\$n" unshare --uts --ipc --mount bash -c 'hostname '\${ONE_NAME:-node\$n}'; mount -t tmpfs tmpfs /dev/shm; exec bash -c "\$*"' x "\$@"
END
chmod 755 "$dir/ssh"
hosts() { seq -s, -f "$net.%g$1" 1 5; }
job() { # job SECONDS RANKS...
  seconds=$1
  shift
  case $mpi in
  openmpi)
    timeout -k 5 "$seconds" mpirun.openmpi --enable-recovery --mca plm_rsh_agent "$dir/ssh" --mca oob_tcp_if_include $net.0/24 \
      --mca pml ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any --host "$(hosts :1)" "$@"
    ;;
  mpich) timeout -k 5 "$seconds" mpirun.mpich -disable-auto-cleanup -iface $bridge -launcher ssh -launcher-exec "$dir/ssh" -hosts "$(hosts '')" -ppn 1 "$@" ;;
  esac >"$dir/log" 2>&1
}
SOLO_HOST_DEVICES=1 SOLO_SERVER=mpi
export SOLO_HOST_DEVICES SOLO_SERVER
job 60 -n 1 "$suite" --here : -n 4 "$server"
status=$?
[ $status = 0 ] && grep -q '^remote-host: .* passed, 0 failed' "$dir/log" || { echo "failed: conformance, exit status $status"; cat "$dir/log"; fail=1; }
# All nodes have one name. On each node, another process listens at all ports that the program might use.
ip netns exec "solo-$$-1" sysctl -qw net.ipv4.ip_local_port_range='41000 41999'
strangers=
for n in 2 3 4 5; do
  ip netns exec "solo-$$-$n" "$B" strangers 41000 1000 &
  strangers="$strangers $!"
done
sleep 1
ONE_NAME=node job 60 -n 1 "$suite" --here : -n 4 "$server"
status=$?
kill -0 $strangers || { echo "failed: the foreign listeners have ended"; fail=1; }
kill $strangers
[ $status = 0 ] && grep -q '^remote-host: .* passed, 0 failed' "$dir/log" || { echo "failed: foreign listeners, exit status $status"; cat "$dir/log"; fail=1; }
for n in 1 5 9 13 17 21 25 29; do
  for _ in 1 2 3 4 5; do # MPICH's launcher sometimes dies: mpi_launcher_died
    job 60 -n 1 "$B" host "$PWD/build/sim/conf_kernels.so" $n 1 : -n 4 "$server"
    status=$?
    mpi_launcher_died $status "$dir/log" || break
  done
  grep -q ' 0 failed' "$dir/log" || { echo "failed: a server killed at message $n"; cat "$dir/log"; fail=1; }
done
[ $fail = 0 ] && echo "ranks on separate nodes continue after the death of a rank"
exit $fail

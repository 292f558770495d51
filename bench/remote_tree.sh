#!/bin/sh
# Measures the copy tree on simulated nodes with limited links (needs root and iproute2).
#   sh bench/remote_tree.sh openmpi|mpich 500mbit SERVERS
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/remote/mpi.sh
mpi=$1 rate=$2 servers=$3
ranks=$((servers + 1)) net=198.18.$(($$ % 256)) bridge=sb$$ llvm=/usr/lib/llvm-19/lib
dir=$(mktemp -d)
end() {
  for n in $(seq $ranks); do ip netns del "solo-$$-$n" 2>/dev/null; done
  ip link del $bridge 2>/dev/null
  rm -rf "$dir"
}
trap end EXIT
ip link add $bridge type bridge && ip addr add "$net.100/24" dev $bridge && ip link set $bridge up || exit 1
for n in $(seq $ranks); do
  ip netns add "solo-$$-$n" && ip link add "s$n-$$" type veth peer name node netns "solo-$$-$n" &&
    ip link set "s$n-$$" master $bridge up && ip -n "solo-$$-$n" addr add "$net.$n/24" dev node &&
    ip -n "solo-$$-$n" link set node up && ip -n "solo-$$-$n" link set lo up &&
    tc -n "solo-$$-$n" qdisc add dev node root tbf rate "$rate" burst 256kb latency 5s || exit 1
done
cat >"$dir/ssh" <<END_SSH
#!/bin/bash
while [ "\${1#-}" != "\$1" ]; do shift; done
n=\${1##*.}
shift
exec ip netns exec "solo-$$-\$n" unshare --uts --ipc --mount bash -c 'hostname node'\$n'; mount -t tmpfs tmpfs /dev/shm; exec bash -c "\$*"' x "\$@"
END_SSH
chmod 755 "$dir/ssh"
clang-19 -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu bench/remote_tree.c -o "$dir/spread" "-Lbuild/lib/$mpi" -L$llvm \
  -Wl,-rpath,$llvm $(mpi_libs "$mpi") || exit 1
SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 SOLO_SERVER=mpi OMP_TARGET_OFFLOAD=mandatory
export SOLO_SERVER_BACKENDS SOLO_HOST_DEVICES SOLO_SERVER OMP_TARGET_OFFLOAD
server="env SOLO_HOST_DEVICES=1 OMP_NUM_THREADS=1 LD_PRELOAD=$llvm/libomp.so.5 $PWD/build/bin/solo-server-$mpi"
hosts() { seq -s, -f "$net.%g$1" 1 $ranks; }
case $mpi in
openmpi)
  mpi_launch openmpi --bind-to none --mca plm_rsh_agent "$dir/ssh" --mca oob_tcp_if_include $net.0/24 --mca pml ucx \
    --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any --host "$(hosts :1)" -n 1 "$dir/spread" : -n "$servers" $server
  ;;
mpich)
  mpi_launch mpich -iface $bridge -launcher ssh -launcher-exec "$dir/ssh" -hosts "$(hosts '')" -ppn 1 \
    -n 1 "$dir/spread" : -n "$servers" $server
  ;;
esac >"$dir/times" 2>"$dir/log" || { cat "$dir/log"; exit 1; }
for kind in separate one; do
  sort -n -k 2 "$dir/times" | awk -v kind=$kind -v job="$mpi, $servers servers, $rate" '$1 == kind { t[++n] = $2 }
    END { printf "%s: %s: median %d ms, quartiles %d %d, lowest %d\n", job, kind, t[int((n + 1) / 2)], t[int((n + 3) / 4)], t[int((3 * n + 1) / 4)], t[1] }'
done

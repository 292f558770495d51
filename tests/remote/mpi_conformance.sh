#!/bin/sh
# Description: runs the conformance suite over MPI. The program and the device servers are ranks of a job. Cases that
# lose the device run in separate jobs, except on CPU devices, where the fault ends the server.
#   mpi_conformance.sh VARIANT MPI KIND [SERVERS [CARD]]
set -u
. tests/remote/mpi.sh
variant=$1 mpi=$2 kind=$3 servers=${4:-1} card=${5:-}
dir=build/$variant/ports/$mpi
mpi_ready "$mpi" "$dir/conformance_remote_$kind"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
devices=2
[ "$servers" = 1 ] || devices=1
[ "$kind" != simt ] || SIMT_TARGET=${SIMT_TARGET:-sm_90} # the server needs an image for a virtual GPU
SOLO_SERVER=mpi SOLO_HOST_DEVICES=$devices SIM_DEVICES=$devices
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
export SOLO_SERVER SOLO_HOST_DEVICES SIM_DEVICES ASAN_OPTIONS
[ "$kind" != simt ] || export SIMT_TARGET
# UCX patches the same functions as AddressSanitizer
[ "$variant" != asan ] || export UCX_MEM_EVENTS=n
job() {
  mpi_run "$mpi" -n 1 "$dir/conformance_remote_$kind" --here "$@" : -n "$servers" "$dir/solo-server-$mpi"
}
job >"$log" 2>&1
rc=$?
if [ "$kind" != host ] && [ "$servers" = 1 ]; then
  for case in fault kept events blame fresh_queue; do
    job "errors/$case" >>"$log" 2>&1 || rc=1
  done
  grep -v '^skip     errors/.* requires a separate [a-z]*$' "$log" >"$log.2"
  mv "$log.2" "$log"
fi
cat "$log"
if grep -E 'SUMMARY: |LeakSanitizer' "$log" | grep -v 'Sanitizer: SEGV' | grep -q .; then
  echo "failed: a sanitizer reported an error"
  rc=1
fi
[ -z "$card" ] || {
  echo "## $kind over $mpi"
  echo
  echo "| case | verdict | |"
  echo "|---|---|---|"
  sed -nE 's/^(pass|FAIL|no|skip|xfail) +([a-z_]+\/[a-z_]+)(: )?(.*)$/| \2 | \1 | \4 |/p' "$log"
  echo
} >>"$card"
exit $rc

# Sourced from the top of the tree. Finds liboffload of LLVM 22, installed or in build/offload-peer.
set -u
peer_root=
for root in "" "$PWD/build/offload-peer"; do
  [ -f "$root/usr/lib/llvm-22/include/offload/OffloadAPI.h" ] && peer_root=$root/usr/lib/llvm-22
done
if [ -z "$peer_root" ]; then
  echo "skipped: no liboffload 22; sh tests/offload/fetch.sh unpacks it (configure.sh --bootstrap calls it)"
  exit 77
fi
peer_header=$peer_root/include/offload/OffloadAPI.h
peer_lib=$peer_root/lib
peer_info=$peer_root/bin/llvm-offload-device-info
export peer_header peer_lib peer_info

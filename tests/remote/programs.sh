#!/bin/sh
# Description: programs of tests/programs run their regions on a device server: programs.sh VARIANT NAME... | all
set -u
. tests/remote/program_list.sh
variant=$1
shift
. tests/remote/lib.sh
make_server SOLO_HOST_DEVICES=1
sources=$(programs_of shm "$@") || exit 1
for source in $sources; do
  name=$(basename "$source")
  build "$source" "$name" "$(compiler_of "$source" 19)" || { fail=1; continue; }
  SOLO_SERVER=$dir/server SOLO_SERVER_BACKENDS=host SOLO_HOST_DEVICES=0 OMP_TARGET_OFFLOAD=mandatory \
    OMP_NUM_THREADS=4 timeout 90 "$dir/$name" >"$dir/log" 2>&1 || {
    echo "failed: $name: exit status $?"
    tail -5 "$dir/log"
    fail=1
  }
done
[ $fail = 0 ] && echo "$(echo "$sources" | wc -l) programs run on a device server"
exit $fail

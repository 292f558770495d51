#!/bin/sh
# Description: a program and two dlopened libraries with target regions share one mapping table, in every
# mixture of static copies and libsolo.so; where that cannot be, it is said. Argument: linker.
. tests/dropin/lib.sh
linker=$1
cat >wanted <<'END'
first: present 1 value 1008 devices 1 device 0
second: present 1 value 1018 devices 1 device 0
second: value 1028
host: 1028 present 0
end: 2
END
build() { # build NAME LIBRARY-FOLDER
  cc 19 -O1 -fuse-ld=$linker "$programs/host.c" -L"$2" -o host_$1 || fail "build host_$1"
  for step in 1 10; do
    cc 19 -O1 -fPIC -shared -fuse-ld=$linker -DSTEP=$step "$programs/guest.c" -L"$2" \
      -o guest_$1_$step.so || fail "build guest_$1"
  done
}
build static "$lib"
build shared "$shared"
export LD_LIBRARY_PATH=$shared
for host in static shared; do
  for first in static shared; do
    for second in static shared; do
      what="program $host, libraries $first and $second"
      expect "$what" wanted ./host_$host ./guest_${first}_1.so ./guest_${second}_10.so
      [ -s err ] && { fail "$what: says"; cat err; }
    done
  done
done
# a program without target regions and two libraries with copies of their own: neither may go
sed 's/^#pragma omp.*//; s/omp_target_is_present([^)]*)/0/' "$programs/host.c" >plain.c
clang-19 -fopenmp -O1 -fuse-ld=$linker plain.c -o host_plain 2>cc.log || fail "build host_plain"
OMP_TARGET_OFFLOAD=mandatory ./host_plain ./guest_static_1.so ./guest_static_10.so >out 2>err
grep -q 'cannot be joined' err || { fail "two libraries with copies: nothing is said"; cat err; }
OMP_TARGET_OFFLOAD=mandatory ./host_plain ./guest_shared_1.so ./guest_static_10.so >out 2>err
grep -q 'cannot be joined' err && { fail "libsolo.so and a copy: not joined"; cat err; }
finish

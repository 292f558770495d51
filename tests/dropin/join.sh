#!/bin/sh
# Description: checks that a program and two dlopened libraries share one mapping table, with any mixture of static
# copies of solo and libsolo.so. Without a shared table, there must be a message. Argument: linker.
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
      [ -s err ] && { fail "$what: unexpected message"; cat err; }
    done
  done
done
sed 's/^#pragma omp.*//; s/omp_target_is_present([^)]*)/0/' "$programs/host.c" >plain.c
clang-19 -fopenmp -O1 -fuse-ld=$linker plain.c -o host_plain 2>cc.log || fail "build host_plain"
OMP_TARGET_OFFLOAD=mandatory ./host_plain ./guest_static_1.so ./guest_static_10.so >out 2>err
grep -q 'contain separate copies' err || { fail "two libraries with copies: no message"; cat err; }
OMP_TARGET_OFFLOAD=mandatory ./host_plain ./guest_shared_1.so ./guest_static_10.so >out 2>err
grep -q 'contain separate copies' err && { fail "libsolo.so and a copy are not joined"; cat err; }
cat >needed.c <<'END'
int needed(int *p) {
  int value = -1;
#pragma omp target map(present, alloc : p[0 : 4]) map(from : value)
  value = p[1];
  return value;
}
END
echo 'int needed(int *); int between(int *p) { return needed(p); }' >between.c
cat >plugin.c <<'END'
#include <omp.h>
int plugin(int *p) {
  int value = -1;
#pragma omp target map(to : p[0 : 4]) map(from : value)
  value = p[1];
  return value + 100 * omp_target_is_present(p, 0);
}
END
cat >user.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int CALL(int *);
int main(void) {
  int a[4] = {1, 2, 3, 4};
#pragma omp target enter data map(to : a)
  a[1] = 7; /* 2 on the device */
  void *library = dlopen("./plugin.so", RTLD_NOW);
  if (!library) return puts(dlerror()), 1;
  int found = ((int (*)(int *))dlsym(library, "plugin"))(a);
  printf("%d %d\n", CALL(a), found);
  return dlclose(library);
}
END
echo "2 102" >as_one
cc 19 -fPIC -shared -fuse-ld=$linker plugin.c -L"$lib" -o plugin.so || fail "build plugin.so"
cc 19 -fPIC -shared -fuse-ld=$linker needed.c -L"$lib" -o libneeded.so || fail "build libneeded.so"
clang-19 -fPIC -shared between.c -L. -lneeded -Wl,-rpath,. -o libbetween.so || fail "build libbetween.so"
for call in needed between; do
  cc 19 -DCALL=$call -fuse-ld=$linker user.c -L. -l$call -Wl,-rpath,. -Wl,-rpath-link,. -L"$lib" -o user_$call ||
    fail "build user_$call"
  expect "a plug-in and a needed library: $call" as_one ./user_$call
  [ -s err ] && { fail "$call: unexpected message"; cat err; }
done
finish

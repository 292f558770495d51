# Description: checks that --host-devices=k links k copies of the device code with separate global variables.
name=host_devices
. tests/tools/lib.sh
cat >f.c <<'END'
#include <stdio.h>
#pragma omp begin declare target
int global = 1;
#pragma omp end declare target
int bump(int device) {
  int r = 0;
#pragma omp target device(device) map(from : r)
  r = ++global;
  return r;
}
#ifndef DEVICES
int main(void) {
  int r = 0;
  r = bump(0);
  printf("%d\n", r);
  return 0;
}
#else
int main(void) {
  int a = bump(0), b = bump(1), c = bump(2), d = bump(0);
  printf("%d %d %d %d\n", a, b, c, d);
  return 0;
}
#endif
END
works $cc --static --host-devices=3 f.c -o p
says 2 ./p
count 4 'copies of the kernel and its host version' sh -c 'nm p | grep -c " t __omp_offloading_.*bump"'
count 3 'copies of the global variable' sh -c 'nm p | grep -c " d global$"'
works $cc --static --host-devices=3 -DDEVICES=3 f.c -o q
if [ "${SOLO_STUB:-no}" = no ]; then
  says '2 2 2 3' env SOLO_HOST_DEVICES=3 ./q
fi
# one copy with global variables: more devices are rejected
works $cc --static -DDEVICES=3 f.c -o one
checks=$((checks + 1))
SOLO_HOST_DEVICES=3 ./one >out 2>&1
grep -q -- '--host-devices=2' out || { fail 'no hint that names --host-devices'; cat out; }
# without global variables, one copy suffices
sed 's/^int global = 1;/int unused(void);/; s/++global/device + 2/' f.c >pure.c
works $cc --static -DDEVICES=3 pure.c -o pure
says '2 3 4 2' env SOLO_HOST_DEVICES=3 ./pure
done_testing

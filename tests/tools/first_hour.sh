# Description: ten mistakes of new users. Each message has a remedy and a section of docs/troubleshooting.md, which
# solo-info --explain prints.
name=first_hour
sources=$PWD
. tests/tools/lib.sh
info=$tree/bin/solo-info
libraries=$tree/lib/glibc
[ -d "$libraries" ] || libraries=$tree/lib/solo/glibc
# names SECTION TEXT COMMAND...: the output of COMMAND has TEXT, a remedy and the section, which --explain prints
names() {
  section=$1 text=$2
  shift 2
  checks=$((checks + 1))
  "$@" >out 2>&1
  grep -qF -- "$text" out && grep -q "solo-info --explain $section" out ||
    { fail "$*: expected '$text' and section $section"; sed 's/^/    /' out; }
  "$info" --explain "$section" 2>&1 | head -n 1 | grep -qxF "## $section" || fail "solo-info --explain $section prints no section"
}
cat >hello.c <<'END'
#include <stdio.h>
int main(void) {
  int on = 0;
#pragma omp target map(tofrom : on)
  on++;
  printf("%d\n", on);
  return 0;
}
END
# 1. missing -fopenmp
names missing-fopenmp 'no target regions' "$cc" -fno-openmp hello.c -o p
works clang-19 hello.c -o without
names missing-fopenmp 'no device image' "$info" --no-devices without
# 2. wrong target
names wrong-target "unknown target 'nvidia'" "$cc" --targets=nvidia hello.c -o p
names wrong-target 'cannot load the GPU driver' "$cc" --static --targets=sm_90 hello.c -o p
# 3. no device
works "$cc" hello.c -o dynamic
works "$cc" -O2 --targets=ptx-sm_90 hello.c -o gpu
names no-device 'there is no device' env OMP_TARGET_OFFLOAD=mandatory ./gpu
names no-device 'target regions run on the host' ./gpu
# 4. two runtimes
names two-runtimes 'two OpenMP runtimes' "$cc" hello.c -lsolo -o p
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu hello.c "-L$libraries" -lsolo -lsolo_atomic -lpthread -o two
names two-runtimes 'two OpenMP runtimes' ./two
# 5. wrong Clang; the name decides
for version in 14 20; do
  printf '#!/bin/sh\nexit 1\n' >clang-$version
  chmod +x clang-$version
  names wrong-clang "version $version" "$cc" "--clang=$work/clang-$version" hello.c -o p
done
names missing-file 'no such compiler' "$cc" --clang=clang-19x hello.c -o p
# 6. missing ptxas
if [ -e "$(clang-19 -print-file-name=libomptarget-nvptx-sm_90.bc)" ]; then
  names missing-ptxas '--targets=ptx-sm_NN' "$cc" --targets=sm_90 --cuda-path=/nonexistent hello.c -o p
fi
# 7. no permission: a driver that does not start
if [ -f "$libraries/libsolo_drv_hsa.so" ] && "$info" | grep -q '^hsa.*does not start'; then
  names no-permission '/dev/kfd' "$info"
fi
grep -q 'solo-info --explain no-permission' "$sources/backends/hsa/hsa_status.c" || fail "no section for /dev/kfd"
# 8. environment variables: value, name
names wrong-variable 'is not understood' env SOLO_HOST_DEVICES=many ./dynamic
names wrong-variable 'hint: use SOLO_HOST_DEVICES' env SOLO_HOST_DEVICE=2 "$info"
names wrong-variable 'hint: use OMP_TARGET_OFFLOAD' env OMP_TARGET_OFLOAD=mandatory "$info"
names wrong-variable 'SOLO_NONSENSE is unknown' env SOLO_NONSENSE=1 "$info"
for variable in SOLO_HOST_DEVICES=1 OMP_NUM_THREADS=2 OMP_OTHER=1 HOME=/ SOLO_CLANG=clang-19; do
  works env -u SOLO_TREE "$variable" "$info" && ! grep -q 'is unknown' out || fail "solo-info reports $variable"
done
# 9. image for another processor
names wrong-image 'none of the devices here can run it' "$info" gpu
# 10. full disk
names disk-full 'No space left on device' env LIBOMPTARGET_PROFILE=/dev/full ./dynamic
if unshare -rm true 2>/dev/null; then
  mkdir small
  names disk-full 'No space left on device' unshare -rm sh -c 'mount -t tmpfs -o size=20k none small
    exec "$@"' sh "$cc" --static hello.c -o small/p
  names disk-full 'No space left on device' unshare -rm sh -c 'mount -t tmpfs -o size=8k none small
    export TMPDIR=$PWD/small
    exec "$@"' sh "$cc" --static hello.c -o p
fi
for section in $(grep -rhoE 'SOLO_SEE\("[a-z-]*"\)|solo-info --explain [a-z]+-[a-z-]+' "$sources/runtime" "$sources/abi" \
  "$sources/backends" "$sources/tools" --include='*.c' | sed 's/.* //; s/SOLO_SEE("//; s/")//' | sort -u); do
  works "$info" --explain "$section"
done
refused 'no-device|two-runtimes' "$info" --explain nonsense
works "$info" --explain && grep -q disk-full out || fail "solo-info --explain lists no sections"
done_testing

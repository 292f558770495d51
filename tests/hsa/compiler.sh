#!/bin/sh
# Description: a program of solo-cc --targets=gfx90a runs on the host; solo-info prints why its image cannot
# run. At -O0, where clang-19 crashes, solo-cc prints a remedy.
name=hsa_compiler
clang-19 --version >/dev/null 2>&1 || { echo "skipped: no clang-19"; exit 77; }
found=
for d in /usr/lib/x86_64-linux-gnu/amdgcn/bitcode /opt/rocm/amdgcn/bitcode; do
  [ -e $d/ockl.bc ] && found=$d
done
[ "$found" ] || { echo "skipped: AMD device libraries are missing (rocm-device-libs)"; exit 77; }
[ ! -e /dev/kfd ] || { echo "skipped: this machine has an AMD GPU's driver"; exit 77; }
. tests/tools/lib.sh
cat >f.c <<'END'
int main(void) {
  int r = 1;
#pragma omp target map(from : r)
  r = 0;
  return r;
}
END
works $cc --targets=gfx90a -O2 f.c -o p
works ./p
refused 'ELF for gfx90a|another kind of device|none of the devices here can run it' \
  "$tree/bin/solo-info" p
refused 'AMD GPUs without optimisation|-O1 or more' $cc --targets=gfx90a -O0 f.c -o p0
done_testing

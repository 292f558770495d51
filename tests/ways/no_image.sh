#!/bin/sh
# Description: a program without device images sees the devices of this machine; without a GPU, the CPU is the first
# device. A virtual GPU appears if a program has code for it, or with SIMT_TARGET.
name=ways_no_image
. tests/tools/lib.sh
cat >p.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  const char *uid = omp_get_uid_from_device(0);
  int *memory = omp_target_alloc(4, 0), value = 7, back = 0, host = omp_get_initial_device();
  omp_target_memcpy(memory, &value, 4, 0, 0, 0, host);
  omp_target_memcpy(&back, memory, 4, 0, 0, host, 0);
  omp_target_free(memory, 0);
  printf("%d devices, width %d, %d\n", omp_get_num_devices(), omp_get_max_progress_width(0), back);
  return !uid || argc < 1 || !argv[0];
}
END
works clang-19 -fopenmp -isystem "$tree/include" p.c -o p -L"$tree/lib/glibc/shared-cpu" -lomptarget \
  -L/usr/lib/llvm-19/lib -Wl,-rpath,/usr/lib/llvm-19/lib
export LD_LIBRARY_PATH="$tree/lib/glibc/shared-cpu"
none='CUDA_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES='
says '1 devices, width 1, 7' env $none ./p
says '2 devices, width 32, 7' env $none SIMT_TARGET=sm_90 ./p
says '2 devices, width 64, 7' env $none SIMT_TARGET=gfx90a ./p
says '1 devices, width 1, 7' env $none SIMT_TARGET= ./p
warns() { # warns DEVICES NAME=VALUE [NAME=VALUE]: the last setting is invalid
  devices=$1
  shift
  for wrong; do :; done
  works env $none "$@" ./p || return 1
  checks=$((checks + 1))
  grep -q "^$devices devices" out && grep -qF "${wrong%%=*}=\"${wrong#*=}\" is not understood" out ||
    { fail "$*: expected $devices devices and a warning:"; cat out; }
}
for wrong in 90 sm_ sm_9x gfx sm_12345; do warns 1 SIMT_TARGET=$wrong; done
for wrong in WORKERS=0 WORKERS=two SEED=-1 RACE_STATUS=256; do warns 2 SIMT_TARGET=sm_90 SIMT_$wrong; done
unset LD_LIBRARY_PATH
works env $none "$tree/bin/solo-info"
checks=$((checks + 2))
grep -q 'device 0: .*x86_64' out || { fail 'solo-info: the CPU is not device 0'; cat out; }
grep -q 'set SIMT_TARGET=sm_90 or gfx90a' out || { fail 'solo-info does not print how to request a virtual GPU'; cat out; }
done_testing

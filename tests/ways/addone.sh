#!/bin/sh
# Description: the steps of design document 004 (seeds.list) with Clang 19 and 22: on the virtual AMD GPU, and with a CPU
# kernel on the host backend, dynamic and static. A bundle without code for the device is reported.
name=ways_addone
. tests/tools/lib.sh
. "$tree/../tests/ways/kernel_language.sh"
source=demo.cpp
cat >demo.cpp <<'END'
#include <hip/hip_runtime.h>

__global__ void addOne(int *v) {
  *v += 1;
}

int main() {
  int h_v = 0;
  int *d_v;
  hipMalloc(&d_v, sizeof(int));
  hipMemcpy(d_v, &h_v, sizeof(int), hipMemcpyHostToDevice);
  addOne<<<1,1>>>(d_v);
  hipMemcpy(&h_v, d_v, sizeof(int), hipMemcpyDeviceToHost);
  printf("v is %d\n", h_v);
}
END
for v in 19 22; do
  # steps 2 and 4: device code, linked
  works device_code hip $v gfx90a "$source" device-$v.bc
  works virtual_image $v gfx90a device-$v.bc image-$v.co
  # step 5: the bundle with the seed's header
  works bundle amdgcn-amd-amdhsa--gfx90a image-$v.co demo-$v.hipfb
  checks=$((checks + 1))
  [ "$(head -c 24 demo-$v.hipfb)" = __CLANG_OFFLOAD_BUNDLE__ ] || fail 'no bundle'
  [ "$(od -An -tu8 -j24 -N16 demo-$v.hipfb | tr -s ' ')" = ' 2 4096' ] || fail "bundle: $(od -An -tu8 -j24 -N16 demo-$v.hipfb)"
  # steps 6 and 7: host code with the bundle, and the program
  works host_code hip $v gfx90a "$source" demo-$v.hipfb demo-$v.o
  works link_with hip hsa demo-$v.o demo-$v && says 'v is 1' on_device ./demo-$v
done
sed -n '/^__global__/,/^}/p' "$source" | sed 's/__global__ //' >kernel.cpp
works g++ -shared -fPIC -O2 kernel.cpp -o cpu.so
works bundle x86_64-unknown-linux-gnu- cpu.so cpu.hipfb
for v in 19 22; do
  works host_code hip $v gfx90a "$source" cpu.hipfb cpu-$v.o
  works link_with hip - cpu-$v.o cpu-$v && says 'v is 1' ./cpu-$v
  works $cxx --static cpu-$v.o -lsolo_hip -o static-$v && says 'v is 1' ./static-$v
  is_static static-$v
done
works clang-offload-bundler-19 -type=o -bundle-align=4096 \
  -targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx90a,hipv4-x86_64-unknown-linux-gnu- \
  -input=/dev/null -input=image-19.co -input=cpu.so -output=both.hipfb
works host_code hip 19 gfx90a "$source" both.hipfb both.o
works link_with hip - both.o both-cpu && says 'v is 1' ./both-cpu
works link_with hip hsa both.o both-hsa && says 'v is 1' on_device ./both-hsa
sed 's/addOne<<<1,1>>>(d_v);/&\n  hipError_t error = hipGetLastError();\n  printf("%s: %s\\n", hipGetErrorName(error), hipGetErrorString(error));/' \
  "$source" >asks.cpp
works device_code hip 19 gfx90a asks.cpp asks.bc
works virtual_image 19 gfx90a asks.bc asks.co
works bundle amdgcn-amd-amdhsa--gfx90a asks.co asks.hipfb
works host_code hip 19 gfx90a asks.cpp asks.hipfb asks.o
works link_with hip hsa asks.o asks
SIM_HSA_AGENT=gfx1100 ./asks >out 2>&1
checks=$((checks + 1))
grep -q 'hipErrorNoBinaryForGpu: .*gfx90a.*gfx1100' out || { fail 'no reason for a refused image'; cat out; }
on_device ./asks >out 2>&1
checks=$((checks + 1))
grep -q 'hipSuccess: no error' out && grep -q 'v is 1' out || { fail 'asks: wrong output on its device'; cat out; }
done_testing

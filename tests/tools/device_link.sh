#!/bin/sh
# Description: checks --device-link=solo: images for NVIDIA, AMD and the CPU, from objects, bitcode and archives, in
# dynamic, shared and static (--remote) links.   device_link.sh [all]    all: nvlink also with -foffload-lto, AMD
all=${1:-no}
name=device_link-$all
. tests/tools/lib.sh
cat >twice.c <<'END'
#pragma omp begin declare target
int twice(int x) { return 2 * x; }
#pragma omp end declare target
END
cat >never.c <<'END'
#pragma omp begin declare target
int never(int x) { return 3 * x; }
#pragma omp end declare target
END
cat >m.c <<'END'
#include <stdio.h>
#pragma omp begin declare target
int twice(int x);
int offset = 5;
#pragma omp end declare target
int main(void) {
  int r = 0;
#pragma omp target map(tofrom : r)
  r = twice(20) + offset;
  printf("%d\n", r);
  return 0;
}
END
cat >s.c <<'END'
static int calls;
int twice_there(int x) {
  int r = 0;
#pragma omp target map(from : r) map(tofrom : calls)
  r = 2 * x + calls++;
  return r;
}
END
cat >load.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 2; i++) {
    void *library = dlopen("./libs.so", RTLD_NOW);
    int (*f)(int) = library ? (int (*)(int))dlsym(library, "twice_there") : 0;
    printf("%d ", f ? f(4) + f(5) : -1);
    if (library) dlclose(library);
  }
  return puts("") < 0;
}
END
build() { # build TARGETS OPTIONS...: m.o, libl.a
  targets=$1
  shift
  for unit in twice never m; do works $cc "$@" --targets="$targets" -O2 -c $unit.c || return 1; done
  rm -f libl.a
  ar rc libl.a twice.o never.o
}
images() { # images PROGRAM TARGET...: the images of PROGRAM, in this order
  program=$1
  shift
  checks=$((checks + 1))
  "$tree/bin/solo-pack" list "$program" | sed -n 's/.*openmp \([^:]*\): \(.*\) for .*/\1 \2/p' >have
  printf '%s\n' "$@" >want
  cmp -s have want || { fail "$program has wrong images"; diff want have; }
}
holds() { # holds COUNT SYMBOL PROGRAM IMAGE: number of definitions of SYMBOL in the image
  "$tree/bin/solo-pack" extract --image="$4" -o image "$3"
  count "$1" "$2 in image $4 of $3" sh -c \
    "readelf -sW --dyn-syms image | awk '\$NF == \"$2\" && \$7 != \"UND\"' | sort -uk8 | wc -l"
}
amd='amdgcn-amd-amdhsa gfx90a ELF' amd2='amdgcn-amd-amdhsa gfx1100 ELF' cpu='x86_64-pc-linux-gnu ELF'
# bitcode (always for AMD)
build gfx90a,gfx1100,host -foffload-lto &&
  works $cc --device-link=solo --targets=gfx90a,gfx1100,host -foffload-lto -O2 m.o libl.a -o p &&
  says 45 env OMP_TARGET_OFFLOAD=mandatory ./p && images p "$amd2" "$amd" "$cpu" && holds 0 never p 4
$cc --show --device-link=solo --targets=gfx90a,host -foffload-lto -O2 m.o -Wl,--whole-archive libl.a \
  -Wl,--no-whole-archive -o w >shown 2>&1
checks=$((checks + 2))
grep -q '^/.*ld.lld -shared' shown || fail 'lld was not called'
! grep '^[^ ]*clang-linker-wrapper' shown || fail "Clang's linker wrapper was called"
says 45 ./w && holds 1 never w 4
build host && works $cc --device-link=solo -O2 m.o libl.a -o p && says 45 env OMP_TARGET_OFFLOAD=mandatory ./p &&
  images p "$cpu"
refused 'device code for amdgcn-amd-amdhsa gfx90a failed|undefined symbol: twice' \
  $cc --device-link=solo --targets=gfx90a -O2 m.c -o p
cuda=${CUDA_PATH:-/usr/local/cuda}
nvidia='nvptx64-nvidia-cuda sm_90' older='nvptx64-nvidia-cuda sm_80'
build sm_90,host -foffload-lto && works env CUDA_PATH=/none $cc --device-link=solo --targets=sm_90,host -foffload-lto \
  -O2 m.o libl.a -o p && { grep -q 'ptxas is not installed: device code for sm_90 remains PTX' out ||
  fail 'no message that the image stays PTX'; } && says 45 ./p
"$tree/bin/solo-pack" list p | grep -q "$nvidia: PTX for sm_90" || fail 'the program has no PTX image'
if [ -x "$cuda/bin/nvlink" ]; then
  gpus=sm_80,sm_90 host=3
  [ $all != all ] || gpus=sm_80,sm_90,gfx90a host=4
  for options in '' -foffload-lto; do
    [ $all = all ] || [ -z "$options" ] || continue
    build $gpus,host $options || continue
    works $cc --device-link=solo --targets=$gpus,host $options -O2 m.o libl.a -o p || continue
    says 45 ./p
    if [ $all = all ]; then images p "$amd" "$older ELF" "$nvidia ELF" "$cpu"; else images p "$older ELF" "$nvidia ELF" "$cpu"; fi
    holds 0 never p $host
    kernel=$(readelf -sW image | grep -o '__omp_offloading_[0-9a-f_]*main_l[0-9]*$' | head -1)
    works $cc --targets=$gpus,host $options -O2 m.o libl.a -o by-clang && holds 1 "$kernel" by-clang $host
  done
  build sm_90,host
  refused 'of the CUDA toolkit|sm_90' env CUDA_PATH=/none $cc --device-link=solo --targets=sm_90,host m.o libl.a -o p
  build sm_90,host --clang=clang-22 &&
    works $cc --clang=clang-22 --device-link=solo --targets=sm_90,host -O2 m.o libl.a -o p && says 45 ./p
else
  echo 'no CUDA toolkit: nvlink not tested'
fi
works $cc -shared -fPIC -O2 s.c -o libs.so && works gcc load.c -o load -ldl &&
  OMP_TARGET_OFFLOAD=mandatory ./load >by-clang.out
works $cc --device-link=solo -shared -fPIC -O2 s.c -o libs.so &&
  says "$(cat by-clang.out)" env OMP_TARGET_OFFLOAD=mandatory ./load
count 1 'unregistration of libs.so' sh -c 'readelf -SW libs.so | grep -c fini_array'
refused 'no dynamic linker|libcuda.so.1|--static --remote|solo-server|--targets=host|--allow-host-only|simt-sm_90' \
  $cc --static --targets=host,sm_90 m.c
refused 'libhsa-runtime64.so.1|with musl|gfx90a' $cc --static --glibc --targets=gfx90a m.c
refused 'static programs with musl|drivers themselves' $cc --remote m.c
if [ -f "$tree/lib/musl-remote/libsolo.a" ]; then
  build host,gfx90a --static --remote && works $cc --static --remote --targets=host,gfx90a -O2 m.o libl.a -o r &&
    images r "$amd" && is_static r && says 45 ./r &&
    says 45 env OMP_TARGET_OFFLOAD=mandatory SOLO_SERVER="$tree/bin/solo-server" ./r
fi
done_testing

#!/bin/sh
# Builds a program with real GPU code for a simulated driver that executes kernels on the virtual GPU.
#   build.sh TARGET VERSION OUT SOURCE [OPTION...]     TARGET: sm_NN, gfxNNN; VERSION: of Clang
set -eu
target=$1 version=$2 out=$3 source=$4
shift 4
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here"
case $source in
*.cpp) clang=clang++-$version ;;
*) clang=clang-$version ;;
esac
case $target in
sm_*) triple=nvptx64-nvidia-cuda vendor=nvptx driver=cuda
  dress="190 0x41 8 $(printf '0x0600%02x04' "${target#sm_}")" ;;
gfx90a) dress='224 64 3 0x53f' ;;
gfx1100) dress='224 64 3 0x41' ;;
esac
case $target in
gfx*) triple=amdgcn-amd-amdhsa vendor=amdgpu driver=hsa ;;
esac
libomp=/usr/lib/llvm-19/lib
$clang -fopenmp -fopenmp-targets=$triple --offload-arch="$target" -foffload-lto -nogpulib -O2 -Wno-openmp-mapping \
  -Wno-unused-command-line-argument -isystem build/include "$@" -c "$source" -o "$out.o"
case $target in
sm_*) ours=build/lib/device/solo-nvptx ;;
gfx*) ours=build/lib/device/solo-amdgcn ;;
esac
sh backends/simt/translate.sh -v "$version" $(printf -- '-l %s ' $ours.bc $ours-[acdlmrt]*.bc) -a "$target" -o "$out.so" "$out.o"
# shellcheck disable=SC2086
build/sim/sim-dress "$out.so" "$out.image" $dress
build/bin/solo-pack wrap -o "$out.wrap.o" "file=$out.image,triple=$triple,arch=$target,kind=openmp"
objcopy --remove-section=.llvm.offloading "$out.o"
$clang -o "$out" "$out.o" "$out.wrap.o" -Lbuild/lib/glibc -L"$libomp" -Wl,-rpath,"$libomp" \
  -Wl,--no-as-needed "build/sim/$driver/$(ls build/sim/$driver | grep '^lib.*so\.1$')" \
  -Wl,-rpath,"$here/build/sim/$driver" -lomptarget -lomp -lm -lpthread

#!/bin/sh
# Makes the input of the image tests and of the fuzz corpus in folder $1, with the tools of Clang 19 and 22
# and, if installed, of CUDA. Writes the stamp file last.
set -eu
src=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
rm -f stamp
PATH=$PATH:/usr/local/cuda/bin
amd() { # amd <clang> <mcpu> <file> [option...]
  c=$1 m=$2 f=$3
  shift 3
  $c -x cl -target amdgcn-amd-amdhsa -mcpu=$m -nogpulib -O2 "$@" "$src/k.cl" -o $f
}
amd clang-19 gfx900 gfx900.co
amd clang-19 gfx90a:xnack+ gfx90a.co
amd clang-19 gfx1030 gfx1030.co
amd clang-19 gfx906:sramecc+:xnack- v4.co -mcode-object-version=4
amd clang-22 gfx9-generic v6.co -mcode-object-version=6
clang-19 -target nvptx64-nvidia-cuda -march=sm_80 -O2 -S "$src/k_ptx.c" -o sm_80.ptx
clang-19 -O1 -fPIC -shared -nostdlib "$src/k_ptx.c" -Dnvptx_kernel=noinline -o x86_64.so
printf 'BC\300\336not really' >bitcode.bc
: >empty

pack() { # pack <packager> <file>
  $1 -o "$2" --image=file=x86_64.so,triple=x86_64-unknown-linux-gnu,arch=,kind=openmp \
    --image=file=gfx90a.co,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack+,kind=openmp \
    --image=file=sm_80.ptx,triple=nvptx64-nvidia-cuda,arch=sm_80,kind=openmp
}
pack clang-offload-packager-19 packager-19.bin
pack clang-offload-packager-22 packager-22.bin

amd_host=host-x86_64-unknown-linux-gnu
bundle() { # bundle <bundler> <type> <file> [option...]
  b=$1 t=$2 f=$3
  shift 3
  $b -type=$t "$@" -output=$f \
    -targets=$amd_host,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+,hipv4-amdgcn-amd-amdhsa--gfx1030 \
    -input=empty -input=gfx90a.co -input=gfx1030.co
}
for v in 19 22; do
  bundle clang-offload-bundler-$v bc bundle-$v.hipfb -bundle-align=4096
  bundle clang-offload-bundler-$v bc ccob-$v.hipfb -compress
  clang-offload-bundler-$v -type=ii -output=text-$v.ii \
    -targets=$amd_host,openmp-nvptx64-nvidia-cuda- -input=sm_80.ptx -input=sm_80.ptx
  clang-offload-bundler-$v -type=s -output=text-$v.s \
    -targets=$amd_host,openmp-nvptx64-nvidia-cuda- -input=sm_80.ptx -input=sm_80.ptx
done
COMPRESSED_BUNDLE_FORMAT_VERSION=2 bundle clang-offload-bundler-22 bc ccob-22-v2.hipfb -compress

clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -c "$src/k.c" -o omp-19.o
# Links omp-19.o, not a new object: kernel names contain the inode of the source, which a compiler cache may replace.
clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu omp-19.o -o omp-19

# Stored fat binaries (fatbinary of CUDA 13.0, from sm_80.ptx), and new fat binaries.
cp "$src"/vectors/*.fatbin .
if command -v ptxas >/dev/null && command -v fatbinary >/dev/null; then
  for a in 80 90; do ptxas -arch=sm_$a sm_80.ptx -o sm_$a.cubin; done
  for m in none size speed balance; do
    fatbinary -64 --compress-all --compress-mode=$m --create=fresh-$m.fatbin \
      --image3=kind=elf,sm=80,file=sm_80.cubin --image3=kind=elf,sm=90,file=sm_90.cubin \
      --image3=kind=ptx,sm=80,file=sm_80.ptx
  done
fi
touch stamp

#!/bin/sh
# Builds build/gpu-bundle: programs that clang-19 makes for NVIDIA GPUs, the backend's tests and the
# benchmarks, with what they need, to be copied to a GPU machine without compiler and run by
# ./run.sh there. `ninja gpu-bundle` calls this. With STOCK=1 LLVM's libomptarget 19 comes along.
set -u
say() { echo "gpu-bundle: $*"; }
. tests/cuda/toolkit.sh
if [ -z "$toolkit" ]; then
  say "skipped: no ptxas and libdevice here (NVIDIA's CUDA toolkit, or set CUDA_HOME); without them"
  say "clang cannot finish device code for NVIDIA GPUs"
  exit 0
fi
llvm=/usr/lib/llvm-19/lib
bundle=build/gpu-bundle
archs=${ARCHS:-sm_80,sm_90}
rm -rf $bundle
mkdir -p $bundle/bin $bundle/stock $bundle/lib $bundle/stocklib $bundle/kernels $bundle/tests
log=$bundle/build.log

# Kernels of the tests: PTX for any device, binaries for those named.
for k in kernels conf_kernels; do
  ptx=$bundle/kernels/$k.ptx
  clang-19 --target=nvptx64-nvidia-cuda -march=sm_70 -O1 -ffreestanding -nogpulib -I. -S -o $ptx \
    tests/sim/device/$k.c >>$log 2>&1 || { say "failed: $k.c, see $log"; exit 1; }
  for arch in $(echo "$archs" | tr , ' '); do
    ptxas -arch="$arch" -o $bundle/kernels/$k-"$arch".cubin $ptx >>$log 2>&1 ||
      { say "failed: ptxas -arch=$arch $k.ptx, see $log"; exit 1; }
  done
done

# Programs, with solo and (STOCK=1) with LLVM's library.
built=0 left=
program() { # program <source> [option...]
  source=$1
  shift
  name=$(basename "${source%.*}")
  cc=clang-19
  case $source in *.cpp) cc=clang++-19 ;; esac
  set -- -O2 -g -I. -Itests/programs -Iexamples -D_DEFAULT_SOURCE -fopenmp \
    -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch="$archs" --cuda-path="$toolkit" \
    -Wno-unknown-cuda-version -Wno-openmp-mapping "$source" -lm "$@"
  if LIBRARY_PATH=$llvm $cc "$@" -o $bundle/bin/$name -Lbuild/lib/glibc -Wl,--no-as-needed \
    build/lib/glibc/libsolo_drv.so -Wl,-rpath,'$ORIGIN/../lib' >>$log 2>&1; then
    built=$((built + 1))
  else
    left="$left $name"
    return
  fi
  [ "${STOCK:-0}" = 1 ] || return
  LIBRARY_PATH=$llvm $cc "$@" -o $bundle/stock/$name -L$llvm -Wl,-rpath,'$ORIGIN/../stocklib' \
    >>$log 2>&1 || left="$left stock/$name"
}
for source in tests/programs/*.c tests/programs/*.cpp examples/*.c examples/*.cpp; do
  program "$source"
done
for source in bench/q_launch.c bench/q_mapping.c bench/q_transfer.c tests/gpu/bench_start.c; do
  program "$source"
done

# The tests and raw benchmarks.
for test in test_backend test_context test_faults test_calls; do
  cp build/check/tests/cuda/$test $bundle/tests/ || exit 1
done
cp build/check/ports/conformance_cuda $bundle/tests/
cp build/gpu/bench_driver build/gpu/bench_raw_start build/gpu/repeat $bundle/tests/
cp build/bin/solo-info $bundle/tests/
cp tests/gpu/run.sh $bundle/
cp -L $llvm/libomp.so.5 build/lib/glibc/libsolo_drv.so $bundle/lib/
# Libraries beside libc that the programs need, ours and LLVM's (but libstdc++ and libgcc_s: those of
# the GPU machine, since ours want a newer libc).
needs() { ldd "$1" 2>/dev/null | awk '$3 ~ /^\// {print $3}' | grep -Ev '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so'; }
for f in $(for p in $bundle/bin/* $bundle/tests/*; do needs "$p"; done | grep -E 'zstd|/libz\.|libomp\.' | sort -u); do
  cp -Ln "$f" $bundle/lib/
done
if [ "${STOCK:-0}" = 1 ]; then
  cp -L $llvm/libomptarget.so.19.1 $bundle/stocklib/
  for f in $(needs $llvm/libomptarget.so.19.1); do cp -Ln "$f" $bundle/stocklib/; done
fi

newest=$(objdump -T $bundle/bin/* $bundle/tests/* $bundle/lib/* 2>/dev/null |
  grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
case $(printf '%s\nGLIBC_2.34\n' "$newest" | sort -V | tail -n 1) in
GLIBC_2.34) ;;
*) say "warning: something in the bundle needs $newest, newer than GLIBC_2.34" ;;
esac
rmdir $bundle/stock $bundle/stocklib 2>/dev/null
[ -z "$left" ] || say "left out, do not build for a GPU (see $log):$left"
say "$built programs, $(du -sh $bundle | cut -f1) in $bundle, newest symbol $newest; copy the folder and run ./run.sh"

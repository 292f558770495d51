#!/bin/sh
# Builds build/gpu-bundle and its archive: CUDA programs, tests and benchmarks for a GPU machine without compiler, to be
# run by `sh run.sh`. Includes LLVM's libomptarget 19 for comparison, if installed, unless STOCK=0.
set -u
say() { echo "gpu-bundle: $*"; }
. tests/cuda/toolkit.sh
if [ -z "$toolkit" ]; then
  say "skipped: no CUDA toolkit (ptxas, libdevice) on this machine; clang needs it for"
  say "device code of NVIDIA GPUs. hint: set CUDA_HOME"
  exit 0
fi
llvm=/usr/lib/llvm-19/lib
bundle=build/gpu-bundle
archs=${ARCHS:-sm_80,sm_90}
limit_mib=60
stock=${STOCK:-1}
[ -f $llvm/libomptarget.so.19.1 ] || stock=0
rm -rf $bundle $bundle.tar.xz $bundle-stock.tar.xz
mkdir -p $bundle/bin $bundle/faults $bundle/apps $bundle/clang22 $bundle/static $bundle/stock $bundle/stockjit $bundle/lib \
  $bundle/stocklib $bundle/kernels $bundle/tests
log=$bundle/build.log

# Kernels of the tests: PTX, and cubins for $archs.
for k in kernels conf_kernels; do
  ptx=$bundle/kernels/$k.ptx
  clang-19 --target=nvptx64-nvidia-cuda -march=sm_70 -O1 -ffreestanding -nogpulib -I. -S -o $ptx \
    tests/sim/device/$k.c >>$log 2>&1 || { say "failed: $k.c, see $log"; exit 1; }
  for arch in $(echo "$archs" | tr , ' '); do
    ptxas -arch="$arch" -o $bundle/kernels/$k-"$arch".cubin $ptx >>$log 2>&1 ||
      { say "failed: ptxas -arch=$arch $k.ptx, see $log"; exit 1; }
  done
done

# Programs, with solo and with LLVM's library. LLVM 19 rejects cubins of CUDA 13, so STOCK_PTXAS, an older ptxas, compiles
# PTX of the programs. Without STOCK_PTXAS, the bundle also has bitcode, which LLVM's library compiles with the GPU
# machine's ptxas (not supported by Debian's build).
stock_by_ptx() { # stock_by_ptx <source> <name> <option...>
  source=$1 name=$2 way=$bundle/way
  shift 2
  mkdir -p $way
  tool=build/bin/solo-cc runtime=
  case $source in *.cpp) tool=build/bin/solo-c++ runtime=-lstdc++ ;; esac
  number=
  $tool --targets=ptx-sm_90 "$@" "$source" -o $way/ptx -lm &&
    number=$(build/bin/solo-pack list $way/ptx | sed -n 's/^ *\[\([0-9]*\)\].*PTX.*/\1/p' | head -n 1)
  [ "$number" ] && build/bin/solo-pack extract --image="$number" -o $way/code.ptx $way/ptx &&
    "$STOCK_PTXAS" -arch=sm_90 -O3 -o $way/code.cubin $way/code.ptx &&
    build/bin/solo-pack wrap -o $way/wrap.o "file=$way/code.cubin,triple=nvptx64-nvidia-cuda,arch=sm_90,kind=openmp" &&
    $cc "$@" -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_90 -foffload-lto -nogpulib -c "$source" \
      -o $way/host.o && objcopy --remove-section=.llvm.offloading $way/host.o &&
    $cc -o $bundle/stock/$name $way/host.o $way/wrap.o -fopenmp -L$llvm -Wl,-rpath,'$ORIGIN/../stocklib' -lomptarget -lm \
      $runtime
  status=$?
  rm -rf $way
  return $status
}
built=0 left=
host_flags='-O2 -g -I. -idirafter build/include -Itests/programs -Iexamples -D_DEFAULT_SOURCE -Wno-openmp-mapping'
ours='-Lbuild/lib/glibc -Wl,--no-as-needed build/lib/glibc/libsolo_drv_cuda.so -Wl,-rpath,$ORIGIN/../lib'
device=build/lib/device/libsolo_device.a # abi/device
[ -f $device ] || device=
program() { # program <source> [name]
  source=$1 name=${2:-$(basename "${1%.*}")}
  cc=clang-19
  case $1 in *.cpp) cc=clang++-19 ;; esac
  own=$(sed -n '1,5s/.*Options: *//p' "$1")
  if sed -n 1,5p "$1" | grep -q 'Only: clang-22'; then
    left="$left $name(clang-22 only)"
    return
  fi
  set -- $host_flags $own -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch="$archs" \
    --cuda-path="$toolkit" -Wno-unknown-cuda-version "$1" -lm
  if LIBRARY_PATH=$llvm $cc "$@" $device -o $bundle/bin/$name $ours >>$log 2>&1; then
    built=$((built + 1))
  else
    left="$left $name"
    return
  fi
  [ "$stock" = 1 ] || return
  if [ "${STOCK_PTXAS:-}" ]; then
    stock_by_ptx "$source" "$name" $host_flags $own >>$log 2>&1 || left="$left stock/$name"
    return
  fi
  set -- "$@" -L$llvm -Wl,-rpath,'$ORIGIN/../stocklib'
  LIBRARY_PATH=$llvm $cc "$@" -o $bundle/stock/$name >>$log 2>&1 || left="$left stock/$name"
  case $name in
  q_* | bench_start) LIBRARY_PATH=$llvm $cc "$@" -fopenmp-target-jit -o $bundle/stockjit/$name \
    >>$log 2>&1 || left="$left stockjit/$name" ;;
  esac
}
for source in tests/programs/*.c tests/programs/*.cpp examples/*.c examples/*.cpp; do
  case $source in examples/by_hand.c) continue ;; esac # no target region
  program "$source"
done
for source in bench/q_launch.c bench/q_mapping.c bench/q_transfer.c bench/q_nowait.c tests/gpu/bench_start.c; do
  program "$source"
done
for source in bench/apps/*.c; do
  program "$source" q_app_"$(basename "$source" .c)"
done

# Built by solo-cc, with its corrected device runtime: virtual GPU programs, Clang 22 programs, static programs.
by_solo_cc() { # by_solo_cc <folder> <source> <option...>
  into=$1 source=$2
  shift 2
  case $source in tests/simt/critical.c) set -- -g0 "$@" ;; esac # see tests/simt/programs.sh
  [ ! -f "${source%.*}.expected" ] || cp "${source%.*}.expected" $bundle/$into/
  set -- -g -O2 -I. -Itests/programs -Iexamples -Wno-openmp-mapping $(sed -n '1,5s/.*Options: *//p' "$source") "$@"
  tool=build/bin/solo-cc
  case $source in *.cpp) tool=build/bin/solo-c++ ;; esac
  if $tool --targets="$(echo "$archs" | sed 's/.*,//')" "$@" "$source" -o $bundle/$into/"$(basename "${source%.*}")" \
    -lm >>$log 2>&1; then
    built=$((built + 1))
  else
    left="$left $into/$(basename "$source")"
  fi
}
for source in tests/simt/*.c tests/simt/*.cpp tests/simt/apps/*.c tests/simt/apps/*.cpp tests/simt/cxx/static.cpp; do
  case $source in tests/simt/rpc.c) continue ;; esac # Clang 19 has no PTX for an acquire load
  by_solo_cc apps "$source" -Wl,-rpath,'$ORIGIN/../lib'
done
by_solo_cc faults tests/gpu/exhausted.c -Wl,-rpath,'$ORIGIN/../lib'
for name in assert beyond; do
  by_solo_cc faults tests/simt/faults/$name.c -Wl,-rpath,'$ORIGIN/../lib'
done
# CUDA programs, with solo's CUDA runtime.
cuda_program() { # cuda_program <source>
  name=$(basename "$1" .cpp) way=$bundle/way source=$1 last=$(echo "$archs" | sed 's/.*,//')
  set -- -x cuda --cuda-gpu-arch="$last" -nocudainc -nocudalib -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.0 \
    -isystem build/include/language -O2
  mkdir -p $way $bundle/cuda
  if clang++-19 "$@" --cuda-device-only -Xclang -mlink-builtin-bitcode -Xclang "$(ls "$toolkit"/nvvm/libdevice/*.bc)" \
    -S "$source" -o $way/code.ptx >>$log 2>&1 && ptxas -arch="$last" $way/code.ptx -o $way/code.cubin >>$log 2>&1 &&
    clang++-19 "$@" --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang $way/code.cubin -c "$source" \
      -o $way/host.o >>$log 2>&1 &&
    g++ $way/host.o -o $bundle/cuda/"$name" -Lbuild/lib/glibc -lsolo_cuda build/lib/glibc/libsolo.a $ours -lpthread -lm \
      >>$log 2>&1; then
    built=$((built + 1))
  else
    left="$left cuda/$name"
  fi
  rm -rf $way
}
for source in tests/ways/programs/gpu_*.cpp; do cuda_program "$source"; done
if command -v clang-22 >/dev/null; then
  for name in critical.c dispatch.c loops.c shared.c rpc.c reductions.cpp cxx/local.cpp; do
    by_solo_cc clang22 tests/simt/$name --clang=clang-22 -Wl,-rpath,'$ORIGIN/../lib'
  done
  for name in threads.c regions.c indirect_mapped.c map_struct.c map_mapper.c lambda.cpp virtual.cpp; do
    by_solo_cc clang22 tests/programs/$name --clang=clang-22 -Wl,-rpath,'$ORIGIN/../lib'
  done
fi
# Fortran programs, static but for the C library and libomp.
by_solo_fc() { # by_solo_fc <name> <source> [option...]
  name=$1
  shift
  if build/bin/solo-fc -O2 -w -J $bundle --targets="$(echo "$archs" | sed 's/.*,//')" "$@" -o $bundle/apps/"$name" \
    -Wl,-rpath,'$ORIGIN/../lib' >>$log 2>&1; then
    built=$((built + 1))
  else
    left="$left fortran/$name"
  fi
}
if command -v flang-22 >/dev/null; then
  for source in examples/*.f90; do by_solo_fc "fortran_$(basename "$source" .f90)" "$source"; done
  for source in reduction constructs stencil mapping dummies private library; do
    by_solo_fc "fortran_$source" tests/fortran/$source.f90
  done
  # tests/fortran/gpu as one program, with the CPU device's output as the expected output
  sh tests/fortran/gpu.sh --source >$bundle/all.f90
  by_solo_fc fortran_gpu $bundle/all.f90 -fopenmp-version=52
  build/bin/solo-fc -O1 -w -J $bundle -fopenmp-version=52 $bundle/all.f90 -o $bundle/cpu >>$log 2>&1 &&
    $bundle/cpu >$bundle/apps/fortran_gpu.expected || left="$left fortran/fortran_gpu.expected"
  rm -f $bundle/*.mod $bundle/all.f90 $bundle/cpu
fi
if [ -f build/lib/musl-remote/libsolo.a ]; then
  for source in examples/zaxpy.c examples/nbody.c examples/jacobi.c examples/cluster.c tests/programs/api.c \
    tests/programs/map_basic.c tests/programs/map_struct.c tests/programs/nowait.c tests/programs/regions.c \
    tests/programs/threads.c tests/simt/loops.c tests/simt/apps/cg.c tests/simt/apps/fft.c; do
    by_solo_cc static $source --static --remote
  done
fi

# MPI programs for one machine, with Debian's MPICH.
by_mpi() { # by_mpi <source>
  if LIBRARY_PATH=$llvm clang-19 $host_flags -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch="$archs" \
    --cuda-path="$toolkit" -Wno-unknown-cuda-version "$1" $device -o $bundle/mpi/"$(basename "${1%.*}")" \
    -Lbuild/lib/mpich $(mpi_libs mpich) -lm >>$log 2>&1; then
    built=$((built + 1))
  else
    left="$left mpi/$(basename "$1")"
  fi
}
libraries_of() { ldd "$@" 2>/dev/null | awk '$3 ~ /^\// {print $3}' | sort -u | grep -vE '/lib(c|m|resolv|cuda|stdc\+\+|gcc_s|hsa.*|drm.*)\.so'; }
if command -v mpiexec.hydra >/dev/null && [ -f build/check/ports/mpich/conformance_remote_cuda ]; then
  . tests/remote/mpi.sh
  mkdir -p $bundle/mpi/lib/ucx
  cp -L "$(command -v mpiexec.hydra)" "$(command -v hydra_pmi_proxy)" build/check/ports/mpich/conformance_remote_cuda \
    build/bin/solo-server-mpich $bundle/mpi/ || exit 1
  by_mpi examples/cluster.c
  by_mpi examples/nbody.c
  for f in $(libraries_of $bundle/mpi/*); do
    cp -Ln "$f" $bundle/mpi/lib/
    case $f in */libucs.so*) cp -L "${f%/*}"/ucx/libuct_cma.so.0 $bundle/mpi/lib/ucx/ ;; esac
  done
  strip --strip-unneeded $bundle/mpi/* $bundle/mpi/lib/* $bundle/mpi/lib/ucx/* 2>>$log
fi

# Images for the raw driver program.
for p in q_launch bench_start; do
  build/bin/solo-pack list $bundle/bin/$p | sed -n 's/^ *\[\([0-9]*\)\] openmp .* \(sm_[0-9a-z]*\): ELF.*/\1 \2/p' |
    while read -r number arch; do
      build/bin/solo-pack extract --image="$number" -o $bundle/kernels/$p-"$arch".cubin $bundle/bin/$p >>$log
    done
done

for test in test_backend test_context test_faults test_graphs test_stage; do
  cp build/check/tests/cuda/$test $bundle/tests/ || exit 1
done
cp build/check/ports/conformance_cuda build/check/ports/conformance_remote_cuda build/bin/solo-server build/gpu/bench_raw_start build/gpu/repeat build/bin/solo-info \
  $bundle/tests/ || exit 1
set -- $host_flags -DSOLO_DRIVER_WEAK=1 -Wno-source-uses-openmp bench/q_cuda.c -lm
{ clang-19 "$@" -o $bundle/tests/q_cuda_raw $ours &&
  clang-19 -fopenmp "$@" -o $bundle/tests/q_cuda_solo build/lib/glibc/libomptarget.a -L$llvm $ours; } >>$log 2>&1 ||
  { say "failed: bench/q_cuda.c, see $log"; exit 1; }
cp tests/gpu/run.sh tests/gpu/mpi_job.sh tests/gpu/bars.awk tests/gpu/left_out.list $bundle/
cp -L $llvm/libomp.so.5 build/lib/glibc/libsolo_drv.so build/lib/glibc/libsolo_drv_cuda.so $bundle/lib/
# Libraries that programs need, except libc, libstdc++ and libgcc_s, which the GPU machine has.
needs() { ldd "$1" 2>/dev/null | awk '$3 ~ /^\// {print $3}' | grep -E '/(libzstd|libz|libomp|libffi)\.so'; }
for f in $(for p in $bundle/bin/* $bundle/clang22/* $bundle/tests/*; do needs "$p"; done | grep -v libffi | sort -u); do
  cp -Ln "$f" $bundle/lib/
done

# Creates a stub with the library's name and symbols. libLLVM needs the library to load, but never calls it.
create_stub_library() { # create_stub_library <library> <library that needs it>
  name=$(basename "$1")
  nm -D --defined-only "$1" | awk '{sub(/@.*/, "", $3); print $3}' | sort -u >$bundle/has.tmp
  nm -D --undefined-only --with-symbol-versions "$2" | awk '{print $2}' | sort -u |
    awk -F@ 'NR == FNR {has[$1] = 1; next} $1 in has {print $1, $NF == $1 ? "" : $NF}' \
      $bundle/has.tmp - >$bundle/wants.tmp
  awk '{print "void " $1 "(void) {__builtin_trap();}"}' $bundle/wants.tmp >$bundle/create_stub_library.c
  awk '{version[$2] = version[$2] $1 "; "} END {for (v in version) print v " {global: " version[v] "};"}' \
    $bundle/wants.tmp >$bundle/create_stub_library.map
  gcc -w -fno-builtin -shared -O1 -s -o $bundle/stocklib/"$name" $bundle/create_stub_library.c -Wl,-soname,"$name" \
    -Wl,--version-script=$bundle/create_stub_library.map >>$log 2>&1 || say "failed: create_stub_library $name, see $log"
  rm -f $bundle/has.tmp $bundle/wants.tmp $bundle/create_stub_library.c $bundle/create_stub_library.map
}
if [ "$stock" = 1 ]; then
  cp -L $llvm/libomptarget.so.19.1 $llvm/libomp.so.5 $bundle/stocklib/
  libllvm=$(ldd $llvm/libomptarget.so.19.1 | awk '$1 ~ /^libLLVM/ {print $3}')
  cp -L "$libllvm" $bundle/stocklib/
  for f in $(needs $llvm/libomptarget.so.19.1); do cp -Ln "$f" $bundle/stocklib/; done
  for f in $(ldd "$libllvm" | awk '$1 ~ /^lib(edit|z3|xml2)\./ {print $3}'); do create_stub_library "$f" "$libllvm"; done
fi

strip --strip-unneeded $bundle/bin/* $bundle/apps/* $bundle/faults/* $bundle/cuda/* $bundle/clang22/* \
  $bundle/static/* \
  $bundle/tests/* $bundle/stock/* $bundle/stockjit/* $bundle/stocklib/* 2>>$log
newest() { objdump -T "$@" 2>/dev/null | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1; }
ours_newest=$(newest $bundle/bin/* $bundle/apps/* $bundle/clang22/* $bundle/tests/* $bundle/lib/*)
case $(printf '%s\nGLIBC_2.34\n' "$ours_newest" | sort -V | tail -n 1) in
GLIBC_2.34) ;;
*) say "warning: a file of the bundle needs $ours_newest, newer than GLIBC_2.34" ;;
esac
rmdir $bundle/clang22 $bundle/static $bundle/stock $bundle/stockjit $bundle/stocklib 2>/dev/null
[ -z "$left" ] || say "left out:$left (see $log)"

# One archive, or two if the comparison exceeds the limit.
pack() { # pack <archive> [tar option...]
  archive=$1
  shift
  tar -C build -cf - "$@" gpu-bundle | xz -T1 --x86 --lzma2=preset=6,dict=64MiB >"$archive"
  [ "$(wc -c <"$archive")" -le $((limit_mib << 20)) ]
}
if ! pack $bundle.tar.xz; then
  say "more than $limit_mib MiB with LLVM's library: packed separately"
  pack $bundle.tar.xz --exclude=gpu-bundle/stock --exclude=gpu-bundle/stockjit \
    --exclude=gpu-bundle/stocklib || say "warning: still more than $limit_mib MiB"
  tar -C build -cf - gpu-bundle/stock gpu-bundle/stockjit gpu-bundle/stocklib |
    xz -T1 --x86 --lzma2=preset=6,dict=64MiB >$bundle-stock.tar.xz
fi
say "$built programs, newest symbol $ours_newest$([ "$stock" = 1 ] && echo " (LLVM's library: $(newest $bundle/stocklib/*))")"
ls -l $bundle*.tar.xz | awk '{printf "gpu-bundle: %s %.1f MiB\n", $NF, $5 / 1048576}'
say "on the GPU machine: tar xJf gpu-bundle.tar.xz && sh gpu-bundle/run.sh"

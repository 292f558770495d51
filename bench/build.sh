#!/bin/sh
# Builds one program for one contestant:  bench/build.sh CONTESTANT SOURCE OUTPUT [-DFEATURE=...]
# If a compiler or library is missing, OUTPUT becomes a script with exit status 77 and OUTPUT.log contains the reason.
set -u
who=$1 source=$2 out=$3
case $source in */q_mini*.c) source="$source $(echo bench/mini/*.c)" ;; esac # several files
log=$out.log
flags="-O2 -g -I. -D_DEFAULT_SOURCE -Wno-openmp-mapping ${4:-}"
# The position of a hot loop in its cache line changes times by 9 % (bench/results/host_kernels.txt).
case $source in */apps/* | *q_mini*) flags="$flags -falign-loops=64" ;; esac
case $out in */size_*) flags="-O2 ${flags#-O2 -g }" ;; esac # LIBOMPTARGET_INFO prints more with -g
target='-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu'
libs='-lpthread -lm'
llvm=/usr/lib/llvm-19/lib
llvm22=$PWD/build/peer22/usr/lib/llvm-22/lib # bench/peer22.sh
mkdir -p "$(dirname "$out")"

# q_register uses no OpenMP and contains its device image, a shared object.
compile_register() {
  clang-19 -O2 -shared -fPIC -nostdlib -Wl,-z,noseparate-code,--build-id=none \
    bench/q_register_image.c -o "$out.image" || return 1
  set -- -O2 -no-pie "-DIMAGE=\"$out.image\"" "$source" -o "$out"
  case $who in
  dropin) clang-19 -fopenmp "$@" -Lbuild/lib/glibc -lomptarget -Wl,-rpath,$llvm $libs ;;
  peer) clang-19 -fopenmp "$@" -L$llvm -lomptarget -Wl,-rpath,$llvm $libs ;;
  *) echo "not a contestant of this question" && return 1 ;;
  esac
}

# GPU questions load the driver at run time.
compile_gpu() {
  set -- $flags -DSOLO_DRIVER_WEAK=1 -Wno-source-uses-openmp "$source" -o "$out"
  drv="-Wl,--no-as-needed build/lib/glibc/libsolo_drv.so -Wl,-rpath,$PWD/build/lib/glibc"
  case $who in
  dropin) clang-19 -fopenmp "$@" -Lbuild/lib/glibc -lomptarget -Wl,-rpath,$llvm $drv $libs ;;
  limit) clang-19 "$@" $drv $libs ;;
  *) echo "not a contestant of this question" && return 1 ;;
  esac
}

# Writes the kernels of q_hsa next to the program.
compile_hsa_kernels() {
  for a in gfx900 gfx906 gfx908 gfx90a gfx942 gfx1030 gfx1100; do
    clang-19 -O2 --target=amdgcn-amd-amdhsa -mcpu=$a -nogpulib -mcode-object-version=5 \
      bench/q_hsa_kernels.c -o "$out.$a.co" || return 1
  done
}

# All contestants link the same object of GCC, and q_gomp_libraries the same archives of Debian, which need glibc.
compile_gcc_object() {
  object=$out.o archives= headers=
  case $source in *_libraries.c)
    lib=/usr/lib/$(uname -m)-linux-gnu
    headers=-I/usr/include/$(uname -m)-linux-gnu/openblas-openmp
    archives="$lib/openblas-openmp/libopenblas.a $lib/libfftw3_omp.a $lib/libfftw3.a
      $(gfortran -print-file-name=libgfortran.a) $(gfortran -print-file-name=libquadmath.a)" ;;
  esac
  gcc-12 -std=gnu11 -fopenmp -foffload=disable -O2 -I. $headers -c "$source" -o "$object" || return 1
  case $who in
  static) build/bin/solo-cc --static --glibc "$object" $archives -lm -o "$out" ;;
  host) gcc-12 "$object" $archives -L$llvm -Wl,-rpath,$llvm -lomp $libs -o "$out" ;;
  gomp) gcc-12 -fopenmp "$object" $archives $libs -o "$out" ;;
  *) echo "not a contestant of this question" && return 1 ;;
  esac
}

compile() {
  case $source in
  */q_gomp*.c) compile_gcc_object; return $? ;;
  */q_register.c) compile_register; return $? ;;
  */q_cuda.c) compile_gpu; return $? ;;
  */q_hsa.c) compile_hsa_kernels && compile_gpu; return $? ;;
  esac
  case $who in
  static) build/bin/solo-cc --static $flags $source -o "$out" $libs ;;
  static_glibc) build/bin/solo-cc --static --glibc $flags $source -o "$out" $libs ;;
  dropin)
    clang-19 $target $flags $source -o "$out" -Lbuild/lib/glibc -Wl,-rpath,$llvm $libs || return 1
    if readelf -d "$out" | grep -q 'NEEDED.*libomptarget'; then
      echo "$out needs a libomptarget.so: the linker did not use solo's libomptarget.a"
      return 1
    fi ;;
  peer) clang-19 $target $flags $source -o "$out" -L$llvm -Wl,-rpath,$llvm $libs ;;
  peer22)
    clang-22 $target $flags -idirafter $llvm22/clang/22/include $source -o "$out" -L$llvm22 \
      -Wl,-rpath,$llvm22 $libs ;;
  host) clang-19 -fopenmp $flags -DBENCH_HOST $source -o "$out" -Wl,-rpath,$llvm $libs ;;
  gomp) gcc -fopenmp -foffload=disable -O2 -g -I. -D_DEFAULT_SOURCE $source -o "$out" $libs ;;
  limit)
    case $source in
    */q_startup.c | */q_size.c) musl-gcc -static -O2 -w $source -o "$out" ;;
    *) clang-19 $flags -Wno-source-uses-openmp $source -o "$out" $libs ;;
    esac ;;
  esac
}

if compile >"$log" 2>&1; then exit 0; fi
printf '#!/bin/sh\nexit 77\n' >"$out"
chmod +x "$out"

#!/bin/sh
# Description: programs in REX's form (design document 002, seeds.list) run with device code in a file: static, solo-link,
# dynamic, drop-in, on the CPU and simulated devices. Each error of the document's checklist has a message.
name=ways_rex
. tests/tools/lib.sh
programs=$tree/../tests/ways/programs
second='-DSECOND_KERNEL="OUT__2__main__9__kernel__"'
gcc -O2 -shared -fPIC -o rex_lib_nvidia.cubin "$programs/rex_lib.c" || exit 1
modes='unsafe threads retry twice fini'
include=-I$tree/include

run_all() { # run_all PROGRAM [ENVIRONMENT...]
  program=$1
  shift
  says right env "$@" "./$program"
  for mode in $modes; do works env "$@" "./$program" "$mode"; done
}

for libc in musl glibc; do
  works $cc --static --$libc "$second" -O2 "$programs/rex_axpy.c" -o "static-$libc" && run_all "static-$libc"
  is_static "static-$libc"
done
# an object of gcc: entries without device code
works gcc -O2 $include "$second" -c "$programs/rex_axpy.c" -o plain.o
works $cc --static --glibc plain.o -o of-gcc && run_all of-gcc
# solo-link finds start files, libc and compiler libraries
works "${CLANG:-clang-19}" --target=x86_64-linux-musl -nostdlibinc -isystem/usr/include/x86_64-linux-musl \
  $include "$second" -O2 -c "$programs/rex_axpy.c" -o musl.o
works $link --libc=musl -static musl.o -o of-link && run_all of-link
checks=$((checks + 1))
[ -s out ] && grep -qi 'no device code' out && fail 'solo-link warns of missing device code, which is in a file'
works gcc -O2 $include "$second" "$programs/rex_axpy.c" -o of-shared -L"$tree/lib/glibc" -lsolo_rex \
  "$tree/lib/glibc/shared-cpu/libsolo.so" -Wl,-rpath,"$tree/lib/glibc/shared-cpu" -lpthread && run_all of-shared
works $cc "$second" -O2 "$programs/rex_axpy.c" -o dynamic -lsolo_rex && run_all dynamic
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu $include "$second" -O2 "$programs/rex_axpy.c" \
  -o dropin -lsolo_rex -L"$tree/lib/glibc" -Wl,-rpath,/usr/lib/llvm-19/lib && run_all dropin

# the file name is set at compile time or at run time
works gcc -O2 $include "$second" '-DREX_CUBIN_NAME="other.cubin"' -c "$programs/rex_axpy.c" -o named.o
works $cc --static --glibc named.o -o named
refused 'other.cubin|No such file or directory' env OMP_TARGET_OFFLOAD=mandatory ./named
says right env REX_CUBIN_NAME=./rex_lib_nvidia.cubin ./named
# a set-id program ignores the variable with the file name
cp static-musl set-id
if [ "$(id -u)" = 0 ] && chown nobody set-id && chmod u+s set-id; then
  says right env OMP_TARGET_OFFLOAD=mandatory REX_CUBIN_NAME=./none.cubin ./set-id
fi

# both simulated devices
for driver in cuda hsa; do
  sim=$tree/sim/$driver
  case $driver in cuda) image=$sim/rex.cubin library=libcuda.so.1 ;; hsa) image=$sim/rex.co library=libhsa-runtime64.so.1 ;; esac
  [ -f "$image" ] || { fail "no $image (ninja test_programs)"; continue; }
  works gcc -O2 plain.o -o simulated-$driver -L"$tree/lib/glibc" -lsolo_rex "$tree/lib/glibc/libsolo.a" \
    -Wl,--no-as-needed "$sim/$library" -Wl,-rpath,"$sim" -lpthread -lm &&
    run_all simulated-$driver "REX_CUBIN_NAME=$image" SIM_CUDA_ARCH=90 SIM_HSA_AGENT=gfx90a:sramecc+:xnack-
done

# the checklist
mandatory='env OMP_TARGET_OFFLOAD=mandatory'
mkdir empty && cd empty || exit 1
refused 'rex_lib_nvidia.cubin cannot be read: No such file or directory' $mandatory ../of-gcc
cp ../rex_lib_nvidia.cubin . && chmod 000 rex_lib_nvidia.cubin
if [ "$(id -u)" != 0 ]; then
  refused 'rex_lib_nvidia.cubin cannot be read: Permission denied' $mandatory ../of-gcc
fi
rm -f rex_lib_nvidia.cubin && mkdir rex_lib_nvidia.cubin
refused 'rex_lib_nvidia.cubin cannot be read: Is a directory' $mandatory ../of-gcc
rmdir rex_lib_nvidia.cubin
: >rex_lib_nvidia.cubin
refused 'not an image: it is empty|rex_lib_nvidia.cubin' $mandatory ../of-gcc
echo 'garbage in a file' >rex_lib_nvidia.cubin
refused 'not an image: 18 bytes that begin with 67 61 72 62|offset 0x0|rex_lib_nvidia.cubin' $mandatory ../of-gcc
head -c 100 ../rex_lib_nvidia.cubin >rex_lib_nvidia.cubin
refused 'ELF|offset|rex_lib_nvidia.cubin' $mandatory ../of-gcc
cd .. || exit 1
works gcc -O2 $include -DNO_ENTRIES -c "$programs/rex_axpy.c" -o no-entries.o
works $cc --static --glibc no-entries.o -o no-entries
refused 'no offload entries|omp_offloading_entries is empty' $mandatory ./no-entries
works gcc -O2 $include '-DSECOND_KERNEL="OUT__2__misspelt__"' -c "$programs/rex_axpy.c" -o mismatch.o
works $cc --static --glibc mismatch.o -o mismatch
refused 'has no kernel OUT__2__misspelt__|compiled from the same sources' $mandatory ./mismatch
works gcc -O2 $include "$programs/rex_maps.c" -o maps -L"$tree/lib/glibc" -lsolo_rex "$tree/lib/glibc/libsolo.a" -lpthread -lm
works $mandatory ./maps 0
refused 'its size is negative (-8 bytes)' $mandatory ./maps 1
refused '4 map entries, but the array of their types is NULL' $mandatory ./maps 2
refused 'map entries, more than' $mandatory ./maps 3
refused 'kernel arguments have version 99' $mandatory ./maps 4
refused 'its size is beyond the end of memory (800 bytes)' $mandatory ./maps 5
refused 'the array of their sizes is NULL' $mandatory ./maps 6
refused 'would extend the mapping of' $mandatory ./maps 7
refused 'no image is registered yet|rex_offload_init' $mandatory ./of-gcc none
refused 'no kernel OUT__1__main__7__kernel__|no other image is registered' $mandatory ./static-musl none
done_testing

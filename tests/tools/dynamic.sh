# Description: checks dynamic programs of solo-cc in C and C++ with both Clangs: no libomptarget.so is needed. With a CUDA
# toolkit, also sm_90 images.
name=dynamic
. tests/cuda/toolkit.sh
apps=$(pwd)/tests/simt/apps
. tests/tools/lib.sh
cat >f.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int where = -1, sum = 0;
#pragma omp target map(from : where)
  where = omp_is_initial_device();
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 1; i <= 100; i++) sum += i;
  printf("%d %d\n", where, sum);
  return 0;
}
END
cp f.c f.cpp
for clang in clang-19 clang-22; do
  works $cc --clang=$clang -O1 f.c -o p && says '0 5050' ./p
  works $cxx --clang=$clang -O1 f.cpp -o p && says '0 5050' ./p
  works $cc --clang=$clang -c f.c -o f.o
  works $cc --clang=$clang f.o -o p && says '0 5050' ./p
  count 0 'libomptarget among NEEDED' sh -c 'readelf -d p | grep -c libomptarget'
done
if [ -f /usr/lib/llvm-19/lib/libomptarget-nvptx-sm_90.bc ] && [ -n "$toolkit" ]; then
  works $cc --targets=host,sm_90 f.c -o p && says '0 5050' env OMP_DEFAULT_DEVICE=0 ./p
  count 2 'images' sh -c "$tree/bin/solo-info --no-devices p | grep -c ' image '"
  works $cc --targets=sm_90 f.c -o p
  count 1 'driver libraries that the program needs' sh -c "readelf -d p | grep -c 'NEEDED.*libsolo_drv'"
  count 1 'libsolo_drv_cuda.so' sh -c "readelf -d p | grep -c 'NEEDED.*libsolo_drv_cuda'"
  if [ -f "$tree/lib/musl-remote/libsolo.a" ]; then # math.h of device code, despite musl's include folder
    printf '#include <math.h>\n#include <stdio.h>\nint main(void) { double x = 2;\n#pragma omp target map(x)\nx = sin(x) + pow(x, 1.5);\nprintf("%%g\\n", x); }\n' >sin.c
    for clang in clang-19 clang-22; do
      works $cc --clang=$clang -O2 --static --remote --targets=sm_90 sin.c -o p
    done
  fi
  if [ -f "$tree/lib/device/22/libomptarget-nvptx.bc" ]; then # Clang 19's device runtime with additions for 22
    works $cc --clang=clang-22 -O0 --targets=host,sm_90 f.c -o p && says '0 5050' env OMP_DEFAULT_DEVICE=0 ./p
    works $cc --clang=clang-22 -O2 --targets=host,sm_80,sm_90 f.c -o p && says '0 5050' env OMP_DEFAULT_DEVICE=0 ./p
    count 3 images sh -c "$tree/bin/solo-info --no-devices p | grep -c ' image '"
    works $cc --clang=clang-22 -O0 --targets=sm_90 "$apps/locks.c" -o p
    works $cc -O2 --targets=sm_90 "$apps/doacross.c" -o p && "$tree/bin/solo-pack" extract --image=2 -o image p
    count 0 'functions of another object' sh -c 'readelf -sW image | grep -c "FUNC *\(GLOBAL\|WEAK\) .* [0-9]* __kmpc_doacross"'
  fi
else
  echo 'no ptxas: sm_90 not tested'
fi
refused 'clang-22 has no OpenMP device runtime for gfx90a|--clang=clang-19' \
  $cc --clang=clang-22 --targets=gfx90a f.c -o p
refused 'clang-22 has no OpenMP device runtime for sm_60|--clang=clang-19' \
  $cc --clang=clang-22 --targets=sm_60 f.c -o p
done_testing

#!/bin/sh
# Description: examples/by_hand.c (solo.h), built by gcc and musl-gcc, static and shared, runs on the CPU and on both
# simulated devices. A missing file or kernel is reported.
name=ways_by_hand
. tests/tools/lib.sh
example=$tree/../examples/by_hand.c
works gcc -shared -fPIC -O2 -DDEVICE "$example" -o by_hand.image
works gcc -O2 -Wall -Wextra -Werror -isystem "$tree/include" "$example" -o glibc "$tree/lib/glibc/libsolo.a" -lpthread -lm
works gcc -O2 -isystem "$tree/include" "$example" -o shared "$tree/lib/glibc/shared-cpu/libsolo.so" \
  -Wl,-rpath,"$tree/lib/glibc/shared-cpu"
works musl-gcc -O2 -isystem "$tree/include" "$example" -static -o musl "$tree/lib/musl/libsolo.a" -lm
is_static musl
echo "int other(void) { return 0; }" >other.c
works gcc -shared -fPIC other.c -o other.image
for form in glibc shared musl; do
  says right ./$form by_hand.image
  refused 'NOT_FOUND|none.image' ./$form none.image
  refused "NOT_FOUND|has no kernel scale" ./$form "$work/other.image"
done
for driver in cuda hsa; do
  sim=$tree/sim/$driver
  case $driver in cuda) image=$sim/ways.cubin library=libcuda.so.1 ;; hsa) image=$sim/ways.co library=libhsa-runtime64.so.1 ;; esac
  works gcc -O2 -isystem "$tree/include" "$example" -o $driver "$tree/lib/glibc/libsolo.a" \
    -Wl,--no-as-needed "$sim/$library" -Wl,-rpath,"$sim" -lpthread -lm &&
    says right env SIM_CUDA_ARCH=90 SIM_HSA_AGENT=gfx90a:sramecc+:xnack- ./$driver "$image"
done
done_testing

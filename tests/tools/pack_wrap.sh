#!/bin/sh
# Description: checks that an object of solo-pack wrap registers its images with the entries of either Clang.
name=pack_wrap
. tests/tools/lib.sh
pack=$tree/bin/solo-pack
images=$tree/images

# a runtime that prints its arguments
cat >runtime.c <<'END'
#include <stdio.h>
struct image { const unsigned char *start, *end; const char *entries, *entries_end; };
struct descriptor { int count; struct image *images; const char *entries, *entries_end; };
int __tgt_register_lib(struct descriptor *d) {
  printf("register %d images, %d bytes of entries:", d->count, (int)(d->entries_end - d->entries));
  for (int i = 0; i < d->count; i++)
    printf(" %d bytes, first 0x%02x%s", (int)(d->images[i].end - d->images[i].start),
           d->images[i].start[0], d->images[i].entries == d->entries ? "" : " (other entries)");
  printf("\n");
  return 0;
}
int __tgt_unregister_lib(struct descriptor *d) {
  printf("unregister %d\n", d->count);
  return 0;
}
int main(void) {
  printf("main\n");
  return 0;
}
END
cat >host.c <<'END'
int NAME(int x) {
#pragma omp target map(tofrom : x)
  x++;
  return x;
}
__attribute__((weak)) int __tgt_target_kernel(void) { return 1; }
END
size() { wc -c <"$1"; }
cpu=$images/x86_64.so amd=$images/gfx90a.co
works "$pack" wrap -o wrapped.o "$cpu" "$amd"
for v in 19 22; do
  works clang-$v -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -DNAME=f$v -c host.c \
    -o host-$v.o
  objcopy -R .llvm.offloading host-$v.o
done
works cc -c runtime.c
sizes=" $(size "$cpu") bytes, first 0x7f $(size "$amd") bytes, first 0x7f"
# program NAME ENTRIES OBJECT...: links, runs, compares the output
program() {
  what=$1 entries=$2
  shift 2
  expected=
  for e in $entries; do expected="${expected}register 2 images, $e bytes of entries:$sizes
"; done
  expected="${expected}main"
  for e in $entries; do expected="$expected
unregister 2"; done
  for linker in bfd lld; do
    gc=-Wl,--gc-sections
    [ $linker = lld ] && gc="$gc -Wl,-z,nostart-stop-gc"
    works clang-19 -fuse-ld=$linker $gc -o $what-$linker runtime.o wrapped.o "$@"
    says "$expected" ./$what-$linker
  done
}
program none 0
program clang-19 32 host-19.o
program clang-22 56 host-22.o
program both '32 56' host-19.o host-22.o
checks=$((checks + 1))
"$pack" list none-bfd | grep -q 'section solo_images: OffloadBinary' || fail "none-bfd has no section solo_images"

# with LLVM's runtime
if [ -e /usr/lib/llvm-19/lib/libomptarget.so ]; then
  works "$pack" extract --image=2 -o device.so "$images/omp-19"
  works "$pack" wrap -o device.o device.so
  cp "$images/omp-19.o" host.o && objcopy -R .llvm.offloading host.o
  works clang-19 -o real host.o device.o -L/usr/lib/llvm-19/lib -lomp -lomptarget \
    -Wl,-rpath,/usr/lib/llvm-19/lib
  works env OMP_TARGET_OFFLOAD=MANDATORY ./real
fi
refused 'no command nosuchcc|--cc=COMMAND' "$pack" wrap --cc=nosuchcc -o x.o "$cpu"
done_testing

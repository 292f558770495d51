# Description: checks that solo-cc and solo-link reject unsupported inputs and options with a remedy.
name=refusals
. tests/tools/lib.sh
cat >f.c <<'END'
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = 1;
  return r - 1;
}
END
# bitcode without a Clang
clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -foffload-lto -c f.c -o lto.o
refused 'lto.o|bitcode|-foffload-lto|--clang=' $link --libc=glibc lto.o -o p
clang-19 -flto -c f.c -o hlto.o
refused 'hlto.o|bitcode|-flto|--clang=' $link --libc=glibc hlto.o -o p
refused 'sm_90|no dynamic linker|leave out --static|--allow-host-only' \
  $cc --static --targets=host,sm_90 f.c -o p
works $cc --static --allow-host-only --targets=host,sm_90,gfx90a f.c -o p
works ./p
refused "unknown target 'sparc'|gfx90a" $cc --targets=sparc f.c -o p
refused 'no such compiler: clang-99|--clang=' $cc --clang=clang-99 f.c -o p
refused 'exclude each other' $cc --musl --glibc f.c -o p
refused '--host-devices=0|from 1 to 64' $cc --static --host-devices=0 f.c -o p
refused 'shared libraries' $cc --static -shared f.c -o p
# corrupt container
works $cc --static -c f.c -o good.o
objcopy --dump-section .llvm.offloading=section good.o
printf '\377\377' | dd of=section bs=1 seek=12 conv=notrunc 2>/dev/null
cp good.o bad.o
objcopy --update-section .llvm.offloading=section bad.o
refused 'bad.o|corrupt device code|offset 0|compile the object again' $cc --static bad.o -o p
# no device code for this processor
objcopy --dump-section .llvm.offloading=section good.o
sed 's/x86_64-linux-musl/nvptx64-nvidia-cu/g' section >section2
cp good.o gpu.o
objcopy --update-section .llvm.offloading=section2 gpu.o
refused 'gpu.o|device code for nvptx64|--targets=host' $cc --static gpu.o -o p
works $cc --static --allow-host-only gpu.o -o p
done_testing

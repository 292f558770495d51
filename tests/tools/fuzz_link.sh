# Description: checks that solo-link with sanitizers does not crash on damaged objects and archives.
name=fuzz_link
. tests/tools/lib.sh
root=$tree/..
cat >kernels.c <<'END'
#pragma omp begin declare target
int device_function(int x) { return x + 1; }
int variable = 3;
#pragma omp end declare target
int NAME(int x) {
  int r = 0;
#pragma omp target map(from : r)
  r = device_function(x) + variable;
  return r;
}
END
works $cc --static -DNAME=one -c kernels.c -o one.o
works $cc --static --clang=clang-22 -DNAME=two -Ddevice_function=other -Dvariable=another -c kernels.c -o two.o
ar rcs both.a one.o two.o
work_here=$(pwd)
cd "$root" || exit 1
works clang-19 -std=c11 -D_XOPEN_SOURCE=700 -g -O1 -fsanitize=address,undefined \
  -fno-sanitize-recover=undefined -I. tools/link_*.c tools/solo_link.c tools/common.c tools/machine.c \
  tools/system.c runtime/base/status.c runtime/image/elf.c runtime/image/elf_symbols.c \
  runtime/image/offload_binary.c runtime/image/decompress.c -o "$work_here/solo-link"
cd "$work_here" || exit 1
works env SEED="${SEED:-1}" python3 "$root/tests/tools/fuzz_link.py" ./solo-link "${ROUNDS:-2000}" \
  one.o two.o both.a
cat out
done_testing

# Description: runs the short tests of solo-cc, solo-link, solo-pack and solo-info, and damaged files, with
# AddressSanitizer and UndefinedBehaviorSanitizer.
cd "$(dirname "$0")/../.." || exit 1
top=$(pwd)
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
new=build/asan-tools
rm -rf $new
mkdir -p $new/bin $new/libexec/solo
ln -s ../lib ../include ../images $new/
ln -s ../../bin/solo-link $new/libexec/solo/clang-linker-wrapper
sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
# compiles each source once, because the tools share most sources
printf '%s\n' tools/common.c tools/machine.c tools/system.c runtime/base/status.c tools/solo_pack.c tools/pack_*.c \
  tools/solo_link.c tools/link_*.c tools/solo_cc.c tools/cc_*.c tools/solo_info.c tools/info_images.c tools/info_explain.c \
  runtime/image/[a-uw-z]*.c runtime/image/visit.c runtime/base/settings_rex.c |
  xargs -P 2 -n 8 sh -c 'for source; do
    clang-19 -std=c11 -D_XOPEN_SOURCE=700 -I. -O1 -g $0 -c "$source" -o '$new'/"$(basename "$source" .c).o" || exit 255
  done' "$sanitizers" || exit 1
make() { # make TOOL NAME... [-l...]: links these and the common objects
  tool=$1
  shift
  for name; do
    shift
    case $name in -* | */*) ;; *) name=$new/$name.o ;; esac
    set -- "$@" "$name"
  done
  clang-19 $sanitizers $new/common.o $new/machine.o $new/system.o $new/status.o "$@" -o $new/bin/$tool || exit 1
}
names() { # names FILE...
  for file; do basename "$file" .c; done
}
images=$(names runtime/image/[a-uw-z]*.c)
make solo-pack solo_pack $(names tools/pack_*.c) $images visit -lzstd -lz
make solo-link solo_link $(names tools/link_*.c) elf elf_symbols offload_binary decompress
make solo-cc solo_cc $(names tools/cc_*.c)
# solo-info: the sanitized readers precede the readers of the library
make solo-info solo_info info_images info_explain settings_rex $images visit -Wl,-z,muldefs \
  build/glibc/runtime.o build/glibc/abi.o build/glibc/backends.o build/glibc/libkmpc.a \
  -Wl,--no-as-needed build/lib/glibc/libsolo_drv.so -Wl,--as-needed -Wl,-rpath,"$top/build/lib/glibc" -lzstd -lz -lm
ln -s solo-cc $new/bin/solo-c++
for tool in solo-pack solo-link solo-cc solo-info; do [ -x $new/bin/$tool ] || exit 1; done
# no leak detection, because the tools free no memory
export ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:verify_asan_link_order=0
export SOLO_TREE=$top/$new
failed=0
for test in pack_list pack_roundtrip pack_clang odd_names files refusals info; do
  echo "$test:"
  sh tests/tools/$test.sh || failed=1
done
echo "damaged files:"
hostile=build/tests/tools/hostile
rm -rf $hostile
mkdir -p $hostile
cd $hostile || exit 1
cat >x.c <<'END'
int main(void) {
  int r = 1;
#pragma omp target map(tofrom : r)
  r--;
  return r;
}
END
"$top/build/bin/solo-cc" --static -c x.c -o x.o && "$top/build/bin/solo-cc" --static x.o -o x || exit 1
"$top/build/bin/solo-cc" x.c -o y || exit 1
ar rcs x.a x.o
echo '--static -O2 x.c -o "a b" -DX="\"q\""' >x.rsp
python3 "$top/tests/tools/damaged_files.py" "${ROUNDS:-6}" "$top/$new/bin" x.o x y x.a x.rsp "$top"/build/images/*.co || failed=1
exit $failed

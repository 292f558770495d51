# Description: checks configure.sh --debug-libs: installed libraries have debug information, and gdb shows source lines of
# the library.
name=debug_libs
. tests/tools/lib.sh
mkdir copy
(cd "$tree/.." && git ls-files -z | xargs -0 tar cf - --) | tar -C copy -xf -
cd copy || exit 1
works ./configure.sh --debug-libs --libc=glibc --backends=host --no-tests --prefix=/opt/solo
works nice ninja
works env DESTDIR="$work/stage" ninja install
cd .. || exit 1
for archive in libsolo.a libsolo_linked.a libomptarget.a; do
  count 1 "debug information in $archive" sh -c \
    "readelf -SW stage/opt/solo/lib/solo/glibc/$archive 2>/dev/null | grep -c -m 1 '\.debug_info'"
done
cat >f.c <<'END'
int main(void) {
  int r = 1;
#pragma omp target map(tofrom : r)
  r--;
  return r;
}
END
works stage/opt/solo/bin/solo-cc --static --glibc -g f.c -o p && works ./p
if command -v gdb >/dev/null; then
  works gdb -batch -nx -iex "set debuginfod enabled off" -ex 'break __tgt_target_kernel' -ex run -ex 'info source' -ex bt ./p
  grep -q 'tgt_kernel.c:[0-9]' out || fail "gdb shows no source line of the library"
fi
done_testing

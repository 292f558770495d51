#!/bin/sh
# Description: runs the functions build, check and package of Alpine's recipe on the current commit, with musl-gcc as
# compiler. Does not run abuild, apk or Alpine's Clang.
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD
command -v musl-gcc >/dev/null || { echo "skipped: no musl-gcc"; exit 77; }
work=$PWD/build/tests/alpine
rm -rf "$work"
mkdir -p "$work/names" "$work/include" "$work/lib"
# libraries of Alpine
for header in zlib.h zconf.h zstd.h zstd_errors.h; do
  find /usr/include -maxdepth 2 -name $header -exec cp {} "$work/include/" \;
done
for archive in libz.a libzstd.a; do
  find /usr/lib -maxdepth 2 -name $archive -exec cp {} "$work/lib/" \;
done
cat >"$work/names/gcc" <<EOF
#!/bin/sh
exec /usr/bin/musl-gcc -isystem $work/include -L$work/lib "\$@"
EOF
chmod +x "$work/names/gcc"
for tool in clang-offload-packager ld.lld llvm-ar llvm-as llvm-dis llvm-link llvm-objcopy; do
  ln -s "$(command -v $tool-19)" "$work/names/$tool"
done
sh ports/packages/tarball.sh "$work" >/dev/null || exit 1
recipe=$tree/ports/packages/alpine/APKBUILD
(
  set -eu
  srcdir=$work pkgdir=$work/pkg
  . "$recipe"
  tar -xzf "$work/$source" -C "$work"
  PATH=$work/names:$PATH
  for step in build check package; do
    cd "$builddir"
    echo "== $step"
    $step
  done
) >"$work/log" 2>&1 || { echo "failed:"; tail -n 20 "$work/log"; exit 1; }
grep -q ': right$' "$work/log" || { echo "failed: check() printed no correct answer"; exit 1; }
fail=0
bad() { echo "failed: $*"; fail=1; }
root=$work/pkg/usr
[ -z "$(find "$work/pkg" -xtype l)" ] || bad "dangling links: $(find "$work/pkg" -xtype l)"
[ -z "$(find "$work/pkg" -mindepth 1 -maxdepth 1 ! -name usr)" ] || bad "files outside /usr"
for tool in solo-cc solo-link solo-pack solo-info solo-server; do
  file -b "$root/bin/$tool" | grep -q 'ld-musl\|static' || bad "$tool is not for musl: $(file -b "$root/bin/$tool")"
done
# the package without installation
"$root/bin/solo-cc" --static -O2 examples/zaxpy.c -o "$work/zaxpy" && "$work/zaxpy" >"$work/out" || bad "solo-cc of the package cannot build zaxpy"
grep -q ': right$' "$work/out" || bad "zaxpy: $(cat "$work/out")"
"$root/bin/solo-info" >"$work/out" 2>&1 || bad "solo-info: $(cat "$work/out")"
exit $fail

#!/bin/sh
# musl.sh HOST: builds musl from Debian's source package with HOST-gcc, for example riscv64-linux-gnu, into
# build/sysroot/HOST/musl (for SOLO_MUSL).
set -eu
cd "$(dirname "$0")/../.."
host=$1
prefix=$PWD/build/sysroot/$host/musl
stop() { echo "musl.sh: $*" >&2; exit 1; }
[ -f "$prefix/lib/libc.a" ] && exit 0
command -v "$host-gcc" >/dev/null || stop "no $host-gcc: sh ports/cross/packages.sh install $host"
work=$PWD/build/sysroot/$host/musl-source
rm -rf "${work:?}"
mkdir -p "$work"
sh ports/cross/apt_sources.sh "$work/apt" || stop "the package lists cannot be fetched"
cd "$work"
APT_CONFIG=$work/apt/apt.conf apt-get -qq --download-only --only-source source musl ||
  stop "no source package musl in this machine's package sources"
mkdir source
tar xf "$(echo musl_*.orig.tar.?z)" -C source --strip-components=1
for packed in musl_*.debian.tar.*; do [ ! -f "$packed" ] || tar xf "$packed" -C source; done
cd source
while read -r patch; do
  case $patch in '' | '#'*) continue ;; esac
  patch -s -p1 <"debian/patches/$patch"
done <<END
$(cat debian/patches/series 2>/dev/null)
END
./configure --target="$host" --host="$host" CC="$host-gcc" --prefix="$prefix" --syslibdir="$prefix/lib" \
  --disable-shared --enable-wrapper=gcc >configure.out 2>&1 || stop "configure: $(tail -n 1 configure.out)"
make -j2 install >make.out 2>&1 || stop "make: $(tail -n 1 make.out)"
rm -rf "${work:?}"

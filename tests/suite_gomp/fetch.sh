#!/bin/sh
# Unpacks libgomp's tests from Debian's package gcc-12-source (83 MB) into build/suite_gomp, unless they exist.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/suite_gomp
stop() { echo "suite-gomp: $*" >&2; exit 77; }
version=$(dpkg-query -W -f '${Version}' gcc-12 2>/dev/null) || stop "package gcc-12 is not installed"
[ -e "$work/$version" ] && exit 0
command -v g++-12 >/dev/null && command -v gfortran-12 >/dev/null || stop "g++-12 or gfortran-12 is not installed"
command -v apt-get >/dev/null || stop "no apt-get: cannot download gcc-12-source"
mkdir -p "$work"
cd "$work"
[ -e "$(echo gcc-12-source_*.deb)" ] || apt-get -qq download "gcc-12-source=$version" ||
  stop "no package gcc-12-source of version $version in this machine's package sources"
inner=$(dpkg-deb --fsys-tarfile gcc-12-source_*.deb | tar t | grep '/gcc-12[0-9.]*-dfsg\.tar\.xz$') ||
  stop "gcc-12-source contains no source archive"
dpkg-deb --fsys-tarfile gcc-12-source_*.deb | tar xO "$inner" >inner.tar.xz
tar xJf inner.tar.xz --wildcards '*/libgomp/testsuite/*' '*/libgomp/libgomp_g.h' '*/include/gomp-constants.h'
rm inner.tar.xz
: >"$work/$version"

#!/bin/sh
# packages.sh [list|install]: SUNDIALS and CHOLMOD for tests/gcc/numeric.sh, unpacked into build/sysroot/gcc. They are not
# installed, because libsundials-dev needs 90 other packages. list: prints the missing packages.
set -eu
cd "$(dirname "$0")/../.."
packages='libsundials-dev libsundials-nvecparallel-openmp6 libsuitesparse-dev libcholmod3 libamd2 libcamd2 libccolamd2
libcolamd2 libsuitesparseconfig5 libmetis5'
folder=build/sysroot/gcc
missing=
for p in $packages; do [ -e "$folder/$p" ] || missing="$missing $p"; done
case ${1:-list} in
list) [ -z "$missing" ] || echo $missing ;;
install)
  mkdir -p "$folder"
  cd "$folder"
  for p in $missing; do
    apt-get -qq download "$p"
    dpkg-deb -x "$p"_*.deb .
    rm "$p"_*.deb
    : >"$p"
  done
  ;;
*) echo "packages.sh [list|install]" >&2; exit 2 ;;
esac

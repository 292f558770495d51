#!/bin/sh
# The release tarball of the commit that is checked out: solo-VERSION.tar.gz in the folder OUT. The same
# commit gives the same bytes, wherever and whenever.   tarball.sh OUT
set -eu
cd "$(dirname "$0")/../.."
out=${1:?usage: tarball.sh OUT}
mkdir -p "$out"
version=$(sed -n 's/^#define SOLO_VERSION_[A-Z]* *\([0-9]*\)/\1/p' abi/include/solo.h | paste -sd.)
# git archive dates files by the commit; gzip -n writes no name and no time of its own
git archive --format=tar --prefix="solo-$version/" HEAD | gzip -n9 >"$out/solo-$version.tar.gz"
echo "$out/solo-$version.tar.gz"

#!/bin/sh
# tarball.sh OUT: makes OUT/solo-VERSION.tar.gz of the current commit, reproducibly.
set -eu
cd "$(dirname "$0")/../.."
out=${1:?usage: tarball.sh OUT}
mkdir -p "$out"
version=$(sed -n 's/^#define SOLO_VERSION_[A-Z]* *\([0-9]*\)/\1/p' abi/include/solo.h | paste -sd.)
# git archive uses the commit's date; gzip -n omits name and time
git archive --format=tar --prefix="solo-$version/" HEAD | gzip -n9 >"$out/solo-$version.tar.gz"
echo "$out/solo-$version.tar.gz"

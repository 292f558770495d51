#!/bin/sh
# tarball.sh OUT: makes OUT/solo-VERSION.tar.gz of the current commit, reproducibly.
set -eu
cd "$(dirname "$0")/../.."
out=${1:?usage: tarball.sh OUT}
mkdir -p "$out"
version=$(sh tools/version.sh)
# git archive uses the commit's date; gzip -n omits name and time
git archive --format=tar --prefix="solo-$version/" HEAD | gzip -n9 >"$out/solo-$version.tar.gz"
echo "$out/solo-$version.tar.gz"

#!/bin/sh
# deb.sh OUT: makes Debian packages of the current commit. DEBFULLNAME, DEBEMAIL: the maintainer.
# Needs dpkg-dev and the Build-Depends of ports/packages/debian/control.
set -eu
cd "$(dirname "$0")/../.."
out=${1:?usage: deb.sh OUT}
mkdir -p "$out"
out=$(cd "$out" && pwd)
version=$(sh tools/version.sh)
tree=$out/solo-$version
rm -rf "$tree"
sh ports/packages/tarball.sh "$out" >/dev/null
tar -xf "$out/solo-$version.tar.gz" -C "$out"
cp -R "$tree/ports/packages/debian" "$tree/debian" # for dpkg-buildpackage
maintainer="${DEBFULLNAME:-solo packager} <${DEBEMAIL:?deb.sh: set DEBEMAIL to the address of the maintainer}>"
sed -i "s|@MAINTAINER@|$maintainer|" "$tree/debian/control" "$tree/debian/changelog"
cd "$tree"
dpkg-buildpackage -us -uc "-j$(nproc)"

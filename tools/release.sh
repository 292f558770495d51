#!/bin/sh
# release.sh VERSION [OUT]: builds the files of a release in a clone of HEAD; signs nothing.
#   OUT (default: build/release): tarball, Debian packages, installation, site, SBOM, notes, SHA256SUMS
#   SOLO_RELEASE_SKIP: parts to omit: debian site
set -eu
cd "$(dirname "$0")/.."
version=${1:?usage: release.sh VERSION [OUT]}
out=${2:-build/release}
skip=" ${SOLO_RELEASE_SKIP:-} "
die() { echo "release.sh: error: $*" >&2; exit 1; }
step() { echo "== $*"; }
skips() { case $skip in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

step "check the tree"
[ "$(sh tools/version.sh)" = "$version" ] || die "abi/include/solo.h has version $(sh tools/version.sh), not $version"
[ -z "$(git status --porcelain)" ] || die "the tree has changes that are not committed (git status)"
grep -q "^## $version (20[0-9-]*)" CHANGELOG.md || die "CHANGELOG.md has no section '## $version (DATE)'"

mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "${out:?}"/*
date=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH="$date"
pack() { # pack FOLDER-ABOVE NAME: a reproducible archive OUT/NAME.tar.xz
  tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX --mtime="@$date" -cf - "$2" |
    xz -T1 -9e >"$out/$2.tar.xz"
}

step "build"
git clone -q . "$out/tree"
cd "$out/tree"
reuse lint >/dev/null || die "a file has no licence (reuse lint)"
./configure.sh --no-tests --mpi=none --host=none --static-tools --prefix=/usr/local >/dev/null && ninja --quiet all ||
  die "the build failed (ninja in $out/tree)"
sh tests/packages/lists.sh || die "the lists of the packages differ (see above)"
sh tests/packages/abi.sh || die "the interface changed (see above, docs/stability.md)"

step "source tarball"
sh ports/packages/tarball.sh "$out"

skips site || {
  step "documentation site"
  ninja --quiet docs
  mkdir "$out/stage"
  cp -R build/docs/html "$out/stage/solo-$version-doc"
  pack "$out/stage" "solo-$version-doc"
  rm -rf "$out/stage"
}
step "archive of the installation"
name=solo-$version-$(uname -m)-linux
DESTDIR=$out/stage sh tools/install.sh "/$name"
pack "$out/stage" "$name"
rm -rf "$out/stage"

skips debian || {
  step "Debian packages"
  mkdir "$out/debian"
  DEBEMAIL=${DEBEMAIL:-solo@packages.debian.org} sh ports/packages/deb.sh "$out/debian" >"$out/debian.log" 2>&1 ||
    { tail -n 20 "$out/debian.log"; die "dpkg-buildpackage failed, see $out/debian.log"; }
  rm -rf "$out/debian/solo-$version" "$out/debian.log"
}
step "SBOM"
# not reproducible: reuse writes the time and a random name
reuse spdx | sed "s|^DocumentName: .*|DocumentName: solo-$version|
  s|^DocumentNamespace: .*|DocumentNamespace: urn:solo:spdx:$version:$(git rev-parse HEAD)|
  s|^Created: .*|Created: $(date -u -d "@$date" +%Y-%m-%dT%H:%M:%SZ)|" >"$out/solo-$version.spdx"

step "release notes"
{
  echo "# solo $version"
  awk -v head="## $version " 'index($0, head) == 1 {on = 1; next} /^## / {on = 0} on' CHANGELOG.md
} >"$out/RELEASE_NOTES.md"
cd "$out"
rm -rf tree
find . -type f ! -name SHA256SUMS | sed 's|^\./||' | sort | xargs sha256sum >SHA256SUMS
step "done"
cat SHA256SUMS

#!/bin/sh
# Description: builds Debian's packages of the current commit, runs lintian, installs them in a new root and runs their
# autopkgtest there. Needs root and network access.
set -u
cd "$(dirname "$0")/../.." || exit 1
for tool in dpkg-buildpackage dh lintian mmdebstrap; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: not root"; exit 77; }
work=$PWD/build/tests/packages
rm -rf "$work"
mkdir -p "$work"
DEBEMAIL=${DEBEMAIL:-solo@packages.debian.org} sh ports/packages/deb.sh "$work" >"$work/build.log" 2>&1 ||
  { echo "failed: dpkg-buildpackage"; tail -n 20 "$work/build.log"; exit 1; }
found=$(lintian --allow-root -L '>=warning' "$work"/solo_*.changes)
[ -z "$found" ] || { echo "lintian:"; echo "$found"; exit 1; }
version=$(sh tools/version.sh)
packages=$(ls "$work"/*.deb | grep -v -e dbgsym -e solo-doc)
mmdebstrap --variant=apt --include=libc6-dev,gcc,g++,autopkgtest,dpkg-dev,libomp-19-dev,llvm-19,musl-tools,python3 \
  --customize-hook="cp $(echo $packages) \"\$1\"/tmp/ && cp -R $work/solo-$version \"\$1\"/tmp/source" \
  --customize-hook='chroot "$1" sh -c "apt-get install -y --no-install-recommends /tmp/*.deb && solo-server --help >/dev/null &&
    solo-info >/dev/null && autopkgtest --no-built-binaries /tmp/source -- null"' \
  bookworm "$work/root.tar" >"$work/root.log" 2>&1
status=$?
passed=$(sed -n 's/^\([a-z-]*\) *PASS$/\1/p' "$work/root.log" | sort -u | xargs) # autopkgtest prints each result twice
[ "$passed" = 'drop-in dynamic getting-started mistakes static' ] || { echo "failed: only these tests pass: $passed"; status=1; }
[ $status = 0 ] || { echo "failed in the new root:"; tail -n 20 "$work/root.log"; }
rm -f "$work/root.tar"
exit $status

#!/bin/sh
# Description: builds Debian's packages of the current commit, runs lintian, installs them in a new root and builds a static
# and a dynamic program there. Needs root and network access.
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
cat >"$work/try" <<'END'
set -eu
cd /tmp
solo-cc --static -O2 /tmp/zaxpy.c -o zaxpy
./zaxpy
file=$(od -An -tx1 -N4 zaxpy | tr -d ' ')
[ "$file" = 7f454c46 ]
solo-cc -O2 /tmp/zaxpy.c -o dynamic -lm
OMP_TARGET_OFFLOAD=mandatory ./dynamic
clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -I/usr/include/solo -O2 zaxpy.c -o stock -lm
LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/solo OMP_TARGET_OFFLOAD=mandatory ./stock
solo-info >/dev/null
END
cp examples/zaxpy.c examples/report.h "$work/"
mmdebstrap --variant=apt --include=libc6-dev,gcc \
  --customize-hook="cp $work/libsolo1_*.deb $work/libsolo-dev_*.deb $work/solo-tools_*.deb $work/zaxpy.c $work/report.h $work/try \"\$1\"/tmp/" \
  --customize-hook='chroot "$1" sh -c "apt-get install -y --no-install-recommends /tmp/*.deb libomp-19-dev musl-tools && sh /tmp/try"' \
  bookworm "$work/root.tar" >"$work/root.log" 2>&1
status=$?
grep -c ': right$' "$work/root.log" | grep -qx 3 || status=1
[ $status = 0 ] || { echo "failed in the new root:"; tail -n 20 "$work/root.log"; }
rm -f "$work/root.tar"
exit $status

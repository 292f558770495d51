#!/bin/sh
# Description: in a new root file system of another machine, ./configure.sh, ninja and ninja install build native tools.
# Programs of these tools run. Needs root and mmdebstrap.   native.sh HOST [emulated] [ROOT]
#   emulated: gcc runs under qemu, which takes an hour; default: this machine's cross compiler for -c
#   ROOT:     an existing root; default: a temporary one
. tests/cross/lib.sh
[ "$2" = emulated ] && { emulated=yes; shift; } || emulated=no
work=$PWD/$work/native
root=${2:-$work/root}
command -v mmdebstrap >/dev/null || { echo "skipped: no mmdebstrap"; exit 77; }
case $machine in
aarch64) architecture=arm64 ;;
*) echo "skipped: Debian 12 has no system for $machine"; exit 77 ;;
esac
there() { sh ports/cross/emulated.sh "$host" "$@"; }
mkdir -p "$work"
there true >"$work/namespace.out" 2>&1 || { cat "$work/namespace.out"; exit 77; }

if [ ! -e "$root/made" ]; then
  [ -n "${2:-}" ] || rm -rf "${root:?}"
  # unpacked only: package scripts would take half an hour under qemu
  mmdebstrap --mode=root --architectures=$architecture --variant=extract --skip=check/qemu \
    --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
    --include="base-files base-passwd bash dash coreutils sed grep findutils diffutils mawk libc-bin hostname
      gcc g++ libc6-dev binutils ninja-build file clang-19 clang-tools-19 lld-19 llvm-19 libomp-19-dev
      musl-tools libhsa-runtime-dev zlib1g-dev libzstd-dev" bookworm "$root" >"$work/root.out" 2>&1 || {
    tail -n 12 "$work/root.out"
    grep -q 'apt-get update' "$work/root.out" && { echo "skipped: the package host does not answer"; exit 77; }
    exit 1
  }
  # replaces the effects of the package scripts
  mkdir -p "$root/proc" "$root/sys" "$root/root"
  ln -sf mawk "$root/usr/bin/awk"
  cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
  cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
  touch "$root/made"
fi
rm -rf "${root:?}/solo" "${root:?}/usr/local"
mkdir -p "$root/solo" "$root/usr/local/bin" "$root/machine/usr"
git archive HEAD | tar xf - -C "$root/solo" || exit 1
if [ $emulated = no ]; then
  # this machine's compiler, in folders that the root does not have
  ln -sfn /machine/usr/lib64 "$root/lib64"
  ln -sfn "/machine/usr/lib/$(uname -m)-linux-gnu" "$root/usr/lib/$(uname -m)-linux-gnu"
  for tool in gcc g++; do
    cat >"$root/usr/local/bin/$tool" <<END
#!/bin/sh
for word; do [ "\$word" = -c ] && exec /machine/usr/bin/$host-$tool "\$@"; done
exec /usr/bin/$tool "\$@"
END
    chmod +x "$root/usr/local/bin/$tool"
    cp "$root/usr/local/bin/$tool" "$root/usr/local/bin/$host-$tool" # the name that musl-gcc uses
  done
fi
cat >"$root/build.sh" <<'END'
set -eu
cd /solo
./configure.sh --no-tests
ninja -j"${JOBS:-$(nproc)}"
ninja install
END
cat >"$root/try.sh" <<'END'
set -eu
rm -f /usr/local/bin/gcc /usr/local/bin/g++ /usr/local/bin/*-linux-gnu-g* # use the root's compilers
cd /tmp
cp /solo/examples/zaxpy.c /solo/examples/report.h .
for way in '--static --musl' '--static --glibc' ''; do
  solo-cc $way -O2 zaxpy.c -o program -lm
  file program
  OMP_TARGET_OFFLOAD=mandatory ./program
done
clang-19 -fopenmp -fopenmp-targets="$(uname -m)-unknown-linux-gnu" -O2 zaxpy.c -o stock -lm
LD_LIBRARY_PATH=/usr/local/lib/solo/glibc/shared OMP_TARGET_OFFLOAD=mandatory ./stock
solo-info
END
# inside NAME: runs the script in the root
inside() {
  there sh -c 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    mount --bind /usr "$0/machine/usr" && mount -o remount,bind,ro "$0/machine/usr" &&
    exec chroot "$0" sh "/$1.sh"' "$root" "$1" >"$work/$1.out" 2>&1 </dev/null
}
if inside build; then
  for tool in solo-cc solo-link solo-info; do
    [ -e "$root/usr/local/bin/$tool" ] || bad "no $tool was installed"
  done
  inside try || { bad "try.sh failed"; tail -n 12 "$work/try.out"; }
  [ "$(grep -c ': right$' "$work/try.out")" = 4 ] || { bad "expected four correct results"; tail -n 20 "$work/try.out"; }
else
  bad "the build failed"
  tail -n 12 "$work/build.out"
fi
[ -n "${2:-}" ] || rm -rf "${root:?}"
finish

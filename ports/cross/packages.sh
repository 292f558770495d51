#!/bin/sh
# Debian packages for another machine: aarch64-linux-gnu, riscv64-linux-gnu.
#   packages.sh list HOST      prints missing packages
#   packages.sh install HOST   installs them (root); exit status 1: unavailable, with the reason
# libomp-19-dev packages of two machines conflict; therefore it is unpacked into build/sysroot/HOST.
set -u
cd "$(dirname "$0")/../.." || exit 1
what=$1 host=$2
machine=${host%%-*}
case $host in
aarch64-linux-gnu) debian=arm64 ;;
riscv64-linux-gnu) debian= ;; # Debian 12 has neither musl nor libomp for it
*) echo "packages.sh: unknown host $host" >&2; exit 2 ;;
esac
libomp=build/sysroot/$host/usr/lib/llvm-19/lib/libomp.so

missing() {
  command -v "$host-gcc" >/dev/null || echo "gcc-$host"
  command -v "$host-g++" >/dev/null || echo "g++-$host"
  command -v "qemu-$machine" >/dev/null || echo qemu-user
  [ -n "$debian" ] || return 0
  [ -f "/usr/lib/$machine-linux-musl/libc.a" ] || echo "musl-dev:$debian"
  [ -e "$libomp" ] || echo "libomp-19-dev:$debian"
}

add_architecture() {
  dpkg --print-foreign-architectures | grep -qx "$debian" || dpkg --add-architecture "$debian" || return 1
  apt-get update && apt-cache show "musl-dev:$debian" >/dev/null 2>&1 && return 0
  dpkg --remove-architecture "$debian" # later calls of apt-get would fail
  apt-get update
  echo "the package host has no index of $debian packages" >&2
  return 1
}

unpack() { # unpack PACKAGE...
  folder=build/sysroot/$host
  mkdir -p "$folder/packages" && (cd "$folder/packages" && rm -f ./*.deb && apt-get download "$@") || return 1
  for file in "$folder"/packages/*.deb; do
    dpkg-deb -x "$file" "$folder" || return 1
  done
  rm -r "$folder/packages"
}

case $what in
list) missing ;;
install)
  export DEBIAN_FRONTEND=noninteractive
  wanted=$(missing)
  [ -n "$wanted" ] || exit 0
  case $wanted in *":$debian"*) [ -z "$debian" ] || add_architecture || exit 1 ;; esac
  install=$(echo "$wanted" | grep -v '^libomp')
  # shellcheck disable=SC2086 # a list
  [ -z "$install" ] || apt-get install -y --no-install-recommends $install || exit 1
  case $wanted in *libomp*) unpack "libomp-19-dev:$debian" "libomp5-19:$debian" || exit 1 ;; esac
  ;;
*) echo "packages.sh: $what: list or install" >&2; exit 2 ;;
esac

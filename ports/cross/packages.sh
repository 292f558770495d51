#!/bin/sh
# What building and testing for another machine needs, from Debian.
#   packages.sh list HOST      the packages, one a line, that are missing here (none: all is there)
#   packages.sh install HOST   installs them (root, apt-get); exit status 1, with one sentence why, when
#                              the package host has nothing for that machine
#   HOST: aarch64-linux-gnu, riscv64-linux-gnu
# libomp of the other machine cannot be installed beside ours (libomp-19-dev conflicts with itself across
# machines): its package is unpacked into build/sysroot/HOST, which changes nothing outside.
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

add_architecture() { # so that packages of that machine can be named
  dpkg --print-foreign-architectures | grep -qx "$debian" || dpkg --add-architecture "$debian" || return 1
  apt-get update && apt-cache show "musl-dev:$debian" >/dev/null 2>&1 && return 0
  dpkg --remove-architecture "$debian" # as it was: later calls of apt-get must not fail
  apt-get update
  echo "the package host has no index of $debian packages" >&2
  return 1
}

unpack() { # unpack PACKAGE...: into build/sysroot/HOST
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

#!/bin/sh
# Downloads LLVM's tests and the tools `FileCheck` and `not` of the installed Clang 19's version into build/suite_llvm,
# unless they exist. Uses a copy of the machine's list of package sources.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/suite_llvm
stop() { echo "suite-llvm: $*" >&2; exit 77; }
version=$(dpkg-query -W -f '${Version}' clang-19 2>/dev/null) || stop "package clang-19 is not installed"
upstream=${version#*:}
upstream=${upstream%%-*}
tests=$work/llvm-toolchain-19_$upstream
[ -e "$work/$version" ] && [ -e "$tests/openmp/runtime/src/kmp_platform.h" ] && exit 0
command -v apt-get >/dev/null || stop "no apt-get: cannot download the source package"
rm -rf "$work/apt" "$work/tools" "$tests"
sh ports/cross/apt_sources.sh "$work/apt" || stop "cannot download the package lists"
export APT_CONFIG="$work/apt/apt.conf"
cd "$work"
[ -e "$(echo llvm-toolchain-19_"$upstream"*.orig.tar.xz)" ] ||
  apt-get -qq --download-only --only-source source "llvm-toolchain-19=$version" ||
  stop "no source package llvm-toolchain-19 of version $version in this machine's package sources"
apt-get -qq download "llvm-19-tools=$version" || stop "no package llvm-19-tools $version (FileCheck, not)"
dpkg-deb -x llvm-19-tools_*.deb tools
tar xf llvm-toolchain-19_"$upstream"*.orig.tar.xz --wildcards '*/offload/test/*' '*/openmp/runtime/test/*' \
  '*/openmp/runtime/src/kmp_platform.h' # included by some tests
# folder before LLVM 19
tar xf llvm-toolchain-19_"$upstream"*.orig.tar.xz --wildcards '*/openmp/libomptarget/test/*' 2>/dev/null || true
[ -f "$tests/offload/test/lit.cfg" ] || stop "the source package has no offload/test"
: >"$work/$version"

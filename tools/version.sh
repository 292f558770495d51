#!/bin/sh
# version.sh [debian|alpine]: prints the version of abi/include/solo.h, in the form of a packaging system if one is named.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define SOLO_VERSION_STRING *"\([^"]*\)".*/\1/p' abi/include/solo.h)
case ${1:-} in
debian) echo "$version" | sed 's/-/~/' ;; # sorts before the release
alpine) echo "$version" | sed 's/-/_/' ;;
*) echo "$version" ;;
esac

#!/bin/sh
# Builds a CPU image for the test: registration.sh PROGRAM
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
gcc -shared -fPIC -O2 -DDEVICE examples/by_hand.c -o "$dir/image" && "$1" "$dir/image"

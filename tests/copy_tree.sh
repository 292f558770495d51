#!/bin/sh
# Copies the sources, and the objects of the variants glibc and glibc-remote, to FOLDER. If configure.sh has other options
# there, ninja compiles only objects with changed commands.   copy_tree.sh FOLDER
set -eu
tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$1"
mkdir -p "$1/build"
cd build # format: modification times in nanoseconds, which ninja compares
made=$(ls -d .ninja_log .ninja_deps glibc glibc-remote lib/device lib/simt lib/flang tools 2>/dev/null) || [ -n "$made" ]
tar cf - --format=posix $made | tar xf - -C "$1/build"

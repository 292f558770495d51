#!/bin/sh
# Builds and runs a program of this folder; offloading is mandatory.
#   tests/programs/run.sh NAME CLANG LIBC [OPTION...]     LIBC: musl, glibc (both static), dropin
set -eu
name=$1 clang=$2 libc=$3
shift 3
prefix=${SOLO_PREFIX:-build}
command -v "$clang" >/dev/null || { echo "skipped: no $clang"; exit 77; }
out=$prefix/tests/programs/$name.$clang.$libc
mkdir -p $prefix/tests/programs
case $name in
*.cpp) cc=$prefix/bin/solo-c++ ;;
*) cc=$prefix/bin/solo-cc ;;
esac
case $libc in
musl) cc="$cc --static --musl" ;;
glibc) case $name in *.cpp) cc="$cc --static" ;; *) cc="$cc --static --glibc" ;; esac ;;
esac
SOLO_CLANG=$clang $cc -g "$@" "tests/programs/$name" -o "$out"
OMP_TARGET_OFFLOAD=mandatory OMP_NUM_THREADS=4 timeout 50 "$out"

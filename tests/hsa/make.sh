#!/bin/sh
# Compiles the examples to code objects in FOLDER with clang-19; writes the stamp file last.
#   make.sh FOLDER SOLO-PACK
set -eu
tree=$(cd "$(dirname "$0")/../.." && pwd)
pack=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
mkdir -p "$1"
cd "$1"
rm -f stamp
libs=
for d in /usr/lib/x86_64-linux-gnu/amdgcn/bitcode /opt/rocm/amdgcn/bitcode; do
  [ -e $d/ockl.bc ] && libs=$d
done
if [ -z "$libs" ]; then
  echo "AMD device libraries are missing (apt-get install rocm-device-libs)" >absent
  touch stamp
  exit 0
fi
rm -f absent
object() { # object <example> <processor> <name> [option...]
  source=$1 arch=$2 name=$3
  shift 3
  # Clang warns of an option that its own link step adds: the log is printed only on failure.
  clang-19 -O2 -fopenmp --offload-arch=$arch --rocm-device-lib-path=$libs -I"$tree/examples" "$@" \
    "$tree/examples/$source.c" -lm -o "$name.program" 2>"$name.words" || { cat "$name.words"; exit 1; }
  "$pack" extract --image=2 -o "$name" "$name.program"
  rm -f "$name.program" "$name.words"
}
for e in zaxpy stream jacobi nbody mapper; do # in parallel: the last step of the build
  running=
  for a in gfx900 gfx906 gfx90a gfx1030; do
    object $e $a $e-$a.co &
    running="$running $!"
  done
  for one in $running; do wait "$one"; done
done
object stream gfx90a:xnack+ stream-v4.co -mcode-object-version=4
# Version 6, also for generic processors; without OpenMP, since Debian's device libraries are too old.
if clang-22 --version >/dev/null 2>&1; then
  for a in gfx90a gfx1030 gfx9-generic gfx10-3-generic; do
    clang-22 -O2 --target=amdgcn-amd-amdhsa -mcpu=$a -nogpulib -mcode-object-version=6 \
      "$tree/bench/q_hsa_kernels.c" -o v6-$a.co
  done
fi
touch stamp

#!/bin/sh
# Creates the corpora of the fuzz targets from files of tests/images/make.sh and solo-pack.
#   corpus.sh IMAGES CORPUS
set -eu
rm -rf "$2"
mkdir -p "$2/image" "$2/elf" "$2/metadata" "$2/target_id" "$2/parameters" "$2/archive"
for f in "$1"/*; do
  case $f in
  */stamp | */empty) ;;
  *.so | *.co | *.cubin | *.o | */omp-19) cp "$f" "$2/elf/" && cp "$f" "$2/image/" ;;
  *) cp "$f" "$2/image/" ;;
  esac
done
for f in gfx900 gfx90a v4 v6; do
  # without 20 bytes of header and owner
  objcopy -I elf64-little -O binary --only-section=.note "$1/$f.co" "$2/metadata/$f.note" 2>/dev/null ||
    llvm-objcopy-19 -O binary --only-section=.note "$1/$f.co" "$2/metadata/$f.note"
  tail -c +21 "$2/metadata/$f.note" >"$2/metadata/$f"
  rm "$2/metadata/$f.note"
done
for format in offload2 offload3 ccob1 fatbin text; do # several entries per file
  images="$1/sm_80.ptx $1/x86_64.so"
  case $format in text) images="$1/sm_80.ptx file=$1/sm_80.ptx,triple=nvptx64-nvidia-cuda,arch=sm_90,kind=cuda" ;; esac
  case $format in fatbin) images="$1/sm_80.ptx $1/sm_80.cubin" ;; esac
  # shellcheck disable=SC2086
  build/bin/solo-pack create --format=$format -o "$2/image/ours-$format" $images
done
build/bin/solo-pack create --format=offload3 --compress -o "$2/image/ours-compressed" "$1/sm_80.ptx" "$1/x86_64.so"
for f in "$2"/image/*; do # a line with a kernel's name, then the image
  { echo k && cat "$f"; } >"$2/parameters/$(basename "$f")"
done
printf 'foo\n.visible .entry foo(.param .u64 .ptr .align 8 a, .param .align 4 .b8 b[20], .param .f64 c)' \
  >"$2/parameters/entry"
printf '_ZN2ns1fEPKfS1_m\n.version 7' >"$2/parameters/name"
for f in "$1"/*.co "$1"/omp-19*; do [ -f "$f" ] && ar rc "$2/archive/$(basename "$f").a" "$f" "$1/x86_64.so"; done
n=0
for t in gfx90a:xnack+ gfx90a:sramecc+:xnack- sm_90a amdgcn-amd-amdhsa--gfx906 gfx10-3-generic \
  hipv4-amdgcn-amd-amdhsa--gfx90a:xnack- host-x86_64-unknown-linux-gnu-; do
  n=$((n + 1))
  printf %s "$t" >"$2/target_id/$n"
done
touch "$2/stamp"

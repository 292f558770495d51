#!/bin/sh
# Description: compares solo-pack's containers byte for byte with containers of Clang's tools. Truncated files must be reported.
name=pack_clang
. tests/tools/lib.sh
pack=$tree/bin/solo-pack
images=$tree/images
same() { # same FILE ORIGINAL
  checks=$((checks + 1))
  cmp -s "$1" "$2" || fail "$1 differs from $2"
}
shows() { # shows FILE TEXT...
  file=$1
  shift
  works "$pack" list "$file" || return
  for text; do
    checks=$((checks + 1))
    grep -qF -- "$text" out || { fail "list $file does not print: $text"; sed 's/^/    /' out; }
  done
}
set -- "file=$images/x86_64.so,triple=x86_64-unknown-linux-gnu,arch=,kind=openmp" \
  "file=$images/gfx90a.co,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack+,kind=openmp" \
  "file=$images/sm_80.ptx,triple=nvptx64-nvidia-cuda,arch=sm_80,kind=openmp"
works "$pack" create --format=offload -o offload.bin "$@"
same offload.bin "$images/packager-19.bin"
same offload.bin "$images/packager-22.bin"
works "$pack" create --format=offload -o by-contents.bin \
  "$images/x86_64.so" "$images/gfx90a.co" "$images/sm_80.ptx"
same by-contents.bin offload.bin
# Clang's tools derive the kind of an image from the file's name
for end in o bc cubin fatbin s ptx; do
  cp "$images/sm_80.ptx" "k.$end"
  works clang-offload-packager-19 -o clang.bin --image=file=k.$end,triple=nvptx,arch=sm_80,kind=cuda
  works "$pack" create --format=offload -o ours.bin file=k.$end,triple=nvptx,arch=sm_80,kind=cuda
  same ours.bin clang.bin
done
if command -v llvm-offload-binary-22 >/dev/null; then
  works llvm-offload-binary-22 offload.bin --image=file=p.co,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack+
  same p.co "$images/gfx90a.co"
fi
works "$pack" create --format=hip -o hip.bin "$images/gfx90a.co" "$images/gfx1030.co"
same hip.bin "$images/bundle-22.hipfb"
echo 'host: .text' >host.s
echo 'device: s_endpgm' >device.s
works clang-offload-bundler-19 -type=s -input=host.s -input=device.s -output=clang.s \
  -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx906
shows clang.s '[1] host-x86_64-unknown-linux-gnu-: text' '[2] hip-amdgcn-amd-amdhsa--gfx906: text'
works "$pack" create --format=text -o ours.s file=host.s,triple=x86_64-unknown-linux-gnu,kind=host \
  file=device.s,triple=amdgcn-amd-amdhsa,arch=gfx906,kind=hip
same ours.s clang.s
works "$pack" extract --image=2 -o back.s clang.s
same back.s device.s
# the id of a bundle is the id of the image
works "$pack" create --format=bundle -o id.bin "$images/v4.co"
shows id.bin 'hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-: ELF'
clang-19 -c -x c /dev/null -o host.o
works clang-offload-bundler-22 -type=o -input=host.o -input="$images/gfx90a.co" -output=both.o \
  -targets=host-x86_64-unknown-linux-gnu,hip-amdgcn-amd-amdhsa--gfx90a:xnack+
shows both.o "place of the host's member" 'gfx90a:xnack+: ELF for gfx90a:xnack+'
cp "$images/bundle-22.hipfb" a-name-that-does-not-fit-into-a-header.bc
ar rc lib.a both.o a-name-that-does-not-fit-into-a-header.bc host.s "$images/omp-19.o"
shows lib.a 'archive, offset 0x0' 'a-name-that-does-not-fit-into-a-header.bc: bundle' 'gfx1030' \
  'host.s: no device image' 'section .llvm.offloading: OffloadBinary version 1'
works "$pack" extract -o d lib.a
same d/3-gfx90a-xnack+.co "$images/gfx90a.co"
size=$(wc -c <lib.a)
for cut in 7 8 9 30 67 68 69 100 300 5000 $((size - 3000)) $((size - 1)); do
  head -c $cut lib.a >cut.a
  checks=$((checks + 1))
  "$pack" list cut.a >out 2>&1
  status=$?
  [ $status -le 1 ] || { fail "list of $cut bytes of an archive: status $status"; cat out; }
  [ $cut = 8 ] || grep -qE 'malformed at offset|not an image' out ||
    fail "list of $cut bytes of an archive: no message: $(cat out)"
done
done_testing

#!/bin/sh
# Description: checks that solo-pack and Clang's tools extract the same bytes from each container that solo-pack creates.
name=pack_roundtrip
. tests/tools/lib.sh
pack=$tree/bin/solo-pack
images=$tree/images
amd=$images/gfx90a.co
amd2=$images/gfx1030.co
ptx=$images/sm_80.ptx
cpu=$images/x86_64.so

same() { # same FILE ORIGINAL
  checks=$((checks + 1))
  cmp -s "$1" "$2" || fail "$1 differs from $2"
}
for format in offload offload2 offload3 bundle hip ccob1 ccob2 ccob3; do
  works "$pack" create --format=$format -o $format.bin "$cpu" "$amd" "$ptx"
  works "$pack" extract -o $format.d $format.bin
  same $format.d/1-x86_64.so "$cpu"
  same $format.d/2-gfx90a-xnack+.co "$amd"
  same $format.d/3-sm_80.ptx "$ptx"
done
works "$pack" create --format=offload3 --compress -o packed.bin "$cpu" "$amd" "$ptx"
works "$pack" extract --image=2 -o one packed.bin
same one "$amd"
for v in 1 2 3; do
  works "$pack" create --format=ccob$v --method=zlib -o z$v.bin "$cpu" "$amd"
  works "$pack" extract --image=2 -o one z$v.bin
  same one "$amd"
done
works "$pack" create --format=text --comment=// -o text.s "$ptx" \
  file="$ptx",triple=nvptx64-nvidia-cuda,arch=sm_90,kind=openmp
works "$pack" extract --image=2 -o one text.s
same one "$ptx"
works "$pack" create --format=fatbin -o plain.fatbin "$ptx"
works "$pack" create --format=fatbin --compress -o packed.fatbin "$ptx"
for f in plain packed; do
  works "$pack" extract --image=1 -o one $f.fatbin
  same one "$ptx"
done
[ -e "$images/sm_90.cubin" ] && {
  works "$pack" create --format=fatbin --compress -o cubin.fatbin "$images/sm_90.cubin" "$ptx"
  works "$pack" extract --image=1 -o one cubin.fatbin
  same one "$images/sm_90.cubin"
}
works "$pack" extract --image=2 -o device.so "$images/omp-19"
checks=$((checks + 1))
readelf -hW device.so | grep -q 'DYN' || fail "device.so is not a shared object"

for v in 19 22; do
  packager=clang-offload-packager-$v bundler=clang-offload-bundler-$v
  works $packager offload.bin --image=file=p.co,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack+
  same p.co "$amd"
  works $packager offload.bin --image=file=p.ptx,triple=nvptx64-nvidia-cuda,arch=sm_80
  same p.ptx "$ptx"
  works "$pack" create --format=bundle --align=4096 -o b.bin "$amd" "$amd2"
  for f in b.bin ccob2.bin ccob3.bin hip.bin; do
    [ $v$f = 19ccob3.bin ] && continue # no version 3 in Clang 19
    works $bundler -unbundle -type=bc -input=$f -output=u.co \
      -targets=hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+
    same u.co "$amd"
  done
done
refused 'the contents do not identify the target|triple=' "$pack" create --format=bundle -o x \
  "$images/bitcode.bc"
works "$pack" create --format=offload -o bc.bin file="$images/bitcode.bc",triple=x86_64-unknown-linux-gnu
refused 'only cubins and PTX' "$pack" create --format=fatbin -o x "$amd"
refused 'is binary: use --format=bundle' "$pack" create --format=text -o x "$amd"
refused 'features are sramecc+' "$pack" create --format=bundle -o x \
  file="$amd",triple=amdgcn-amd-amdhsa,arch=gfx90a:fast+
done_testing

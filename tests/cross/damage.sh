#!/bin/sh
# Description: damaged images for another machine are refused or work, under qemu-user, which takes half a minute of
# processor time for each linker's image: in the soak.   damage.sh HOST
. tests/cross/lib.sh
work=$work/damage
mkdir -p "$work"
loader_images "$work/loader"
loader_test test_damage "$work/loader" "build/$host/check/tests/loader/test_damage.o"
# -R: as much address space; qemu-user writes 8 GB of tables of its own when an image is damaged to a size of 1 TB
for linker in bfd lld; do
  check "damage-$linker" timeout 400 $qemu -R 0x4000000000 "$work/test_damage" "$work/loader/$linker"
  grep -q 'refused, .* loaded' "$work/damage-$linker.out" || bad "damage-$linker: said nothing"
done
finish

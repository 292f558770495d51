#!/bin/sh
# Description: damaged images for another machine are rejected or work, under qemu-user.
#   damage.sh HOST
. tests/cross/lib.sh
work=$work/damage
mkdir -p "$work"
loader_images "$work/loader"
loader_test test_damage "$work/loader" "build/$host/check/tests/loader/test_damage.o"
# -R limits the address space: for an image damaged to 1 TB, qemu-user would write 8 GB of tables
for linker in bfd lld; do
  check "damage-$linker" timeout 400 $qemu -R 0x4000000000 "$work/test_damage" "$work/loader/$linker"
  grep -q 'refused, .* loaded' "$work/damage-$linker.out" || bad "damage-$linker: no summary"
done
finish

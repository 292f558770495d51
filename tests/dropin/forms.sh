#!/bin/sh
# Description: checks several CPU devices with separate globals, and host code with full and thin LTO.
. tests/dropin/lib.sh
echo "3 devices: 101(0) 104(1) 109(2) host 100" >three
grep -v c++ "$programs/wanted" >wanted
for v in 19 22; do
  command -v clang-$v >/dev/null || continue
  if cc $v -O1 "$programs/devices.c" -L"$lib" $(libomp $v) -o devices; then
    expect "clang-$v devices" three env SOLO_HOST_DEVICES=3 ./devices
  else
    fail "clang-$v devices: build"
  fi
  for lto in -flto -flto=thin; do
    if cc $v -O2 $lto -fuse-ld=lld -I"$programs" "$programs/main.c" "$programs/unit.c" \
      "$programs/library.c" -L"$lib" $(libomp $v) -o program; then
      expect "clang-$v $lto" wanted ./program maps
    else
      fail "clang-$v $lto: build"
    fi
  done
done
finish

#!/bin/sh
# Description: one binary with weak driver symbols starts without a driver, with a stub and with the
# simulated driver, and reports each case. Also checks a binary that needs the driver, and static programs.
set -u
lib=build/lib/glibc
[ -f $lib/libsolo.a ] || { echo "skipped: no glibc library was configured"; exit 77; }
grep -q 'XX(cuda)' build/glibc.ninja || { echo "skipped: no backend cuda"; exit 77; }
grep -q 'SOLO_DRIVER_WEAK=1' build/glibc.ninja || { echo "skipped: --driver-binding=needed"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail=0
mkdir "$dir/none" "$dir/stub" "$dir/both"
cp $lib/libsolo_drv.so "$dir/none/"
cp $lib/libsolo_drv.so "$dir/stub/"
cp $lib/stubs/libcuda.so "$dir/stub/libcuda.so.1"
cp $lib/libsolo_drv.so build/sim/cuda/libcuda.so.1 build/sim/cuda/sim-device "$dir/both/"
if ldconfig -p | grep -q 'libcuda\.so\.1'; then
  echo "skipped: a real libcuda.so.1 is installed, which the loader would find"
  exit 77
fi

expect() { # expect <case> <library folder> <text> <program>
  out=$(LD_LIBRARY_PATH=$2 "$4" 2>&1)
  rc=$?
  case $out in
  *"$3"*) [ $rc = 0 ] && return ;;
  esac
  echo "failed: $1: exit status $rc, no \"$3\" in:"
  echo "$out"
  fail=1
}

check_weak() { # check_weak <case> <program>
  expect "$1, no driver" "$dir/none" "no driver library (libcuda.so.1) in this process" "$2"
  expect "$1, stub" "$dir/stub" "CUDA_ERROR_STUB_LIBRARY" "$2"
  expect "$1, driver" "$dir/both" "Simulated GPU 0 (cuda, sm_90)" "$2"
}

gcc -c -fPIC -I. -o "$dir/pic.o" tests/cuda/explain.c || exit 1
gcc -c -fno-pie -I. -o "$dir/nopic.o" tests/cuda/explain.c || exit 1
for linker in bfd lld; do
  for mode in "pie pic" "no-pie nopic"; do
    set -- $mode
    for now in lazy now; do
      what="$linker, $1, -z $now"
      gcc -B/usr/lib/llvm-19/bin -fuse-ld=$linker -$1 -Wl,-z,$now -o "$dir/p" "$dir/$2.o" $lib/libsolo.a -L$lib \
        -Wl,--no-as-needed -lsolo_drv -lpthread -lm || { fail=1; continue; }
      check_weak "$what" "$dir/p"
    done
  done
done

# --as-needed drops the filter library, which no symbol refers to. The program must start and
# report the missing driver.
gcc -o "$dir/p" "$dir/pic.o" $lib/libsolo.a -L$lib -Wl,--as-needed -lsolo_drv -lpthread -lm
expect "--as-needed" "$dir/both" "no driver library" "$dir/p"

# Linked to the driver library directly.
gcc -o "$dir/p" "$dir/pic.o" $lib/libsolo.a -Wl,--no-as-needed $lib/stubs/libcuda.so -lpthread -lm
expect "needed, stub" "$dir/stub" "CUDA_ERROR_STUB_LIBRARY" "$dir/p"
expect "needed, driver" "$dir/both" "Simulated GPU 0 (cuda, sm_90)" "$dir/p"
if LD_LIBRARY_PATH="$dir/none" "$dir/p" >/dev/null 2>&1; then
  echo "failed: a program that needs the driver starts without it"
  fail=1
fi

for linker in bfd lld; do
  for mode in static static-pie; do
    object=pic
    gcc -B/usr/lib/llvm-19/bin -fuse-ld=$linker -$mode -o "$dir/p" "$dir/$object.o" $lib/libsolo.a -lpthread -lm \
      2>"$dir/log" || { cat "$dir/log"; fail=1; continue; }
    expect "$linker, $mode" "$dir/both" "no driver library" "$dir/p"
  done
done
[ $fail = 0 ] && echo "all bindings are correct"
exit $fail

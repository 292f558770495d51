#!/bin/sh
# Description: a truncated, empty or invalid image is reported with offset and reason. solo-info prints images of
# solo-pack wrap in objects and programs, also stripped.
name=ways_explained
. tests/tools/lib.sh
programs=$tree/../tests/ways/programs
works gcc -O2 -shared -fPIC -o image.so "$programs/rex_lib.c"
works gcc -O2 "$programs/registers_file.c" -o registers "$tree/lib/glibc/libsolo.a" -lpthread -lm
size=$(wc -c <image.so)
told() { # told TEXT COMMAND...: checks the warning
  text=$1
  shift
  checks=$((checks + 1))
  "$@" >out 2>&1
  grep -q "an image cannot be read: .*$text" out || { fail "$*: no warning with: $text"; cat out; }
}
told '0 bytes that begin with nothing.*offset 0x0' ./registers /dev/null
echo garbage garbage >garbage
told '16 bytes that begin with 67 61 72 62.*offset 0x0' ./registers garbage
n=1
while [ $n -lt "$size" ]; do
  told 'offset 0x' ./registers image.so $n
  n=$((n * 3 / 2 + 1))
done
works "$tree/bin/solo-pack" wrap -o wrap.o 'file=image.so,triple=x86_64-pc-linux-gnu,kind=openmp'
works gcc -O2 -I"$tree/include" '-DSECOND_KERNEL="OUT__2__main__9__kernel__"' "$programs/rex_axpy.c" wrap.o -o wrapped \
  -L"$tree/lib/glibc" -lsolo_rex "$tree/lib/glibc/libsolo.a" -lpthread -lm
strip -o stripped wrapped
for file in wrap.o wrapped stripped; do
  checks=$((checks + 1))
  "$tree/bin/solo-info" "$file" >out 2>&1 && grep -q 'image 1 .*ELF for x86_64' out && grep -q 'device [0-9]* .*: runs it' out ||
    { fail "solo-info $file"; cat out; }
done
done_testing

#!/bin/sh
# Description: compares the target callbacks of program.c with *.wanted for each form of the library, and with LLVM's
# libomptarget 19, except for differences().
#   tests/ompt/run.sh static-musl|static-glibc|archive|shared|stock
set -u
form=$1
root=$PWD
prefix=$root/build
stock=/usr/lib/llvm-19/lib
work=$root/build/tests/ompt/$form
rm -rf "$work"
mkdir -p "$work"
options="-w -I. -g -O1 -fno-optimize-sibling-calls" # callers remain visible
clang="clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu"
libomp="-L$stock -Wl,-rpath,$stock"
sources="tests/ompt/program.c tests/ompt/tool.c"
case $form in
static-*) $prefix/bin/solo-cc --static --"${form#static-}" $options $sources -o "$work/program" ;;
archive) $prefix/bin/solo-cc $options $sources -o "$work/program" ;;
shared) $clang $options $sources -L$prefix/lib/glibc/shared-cpu \
  -Wl,-rpath,$prefix/lib/glibc/shared-cpu $libomp -o "$work/program" ;;
stock)
  [ -f $stock/libomptarget.so ] || { echo "skipped: no stock libomptarget 19"; exit 77; }
  $clang $options $sources $libomp -o "$work/program"
  export LD_LIBRARY_PATH=$stock # for dlopen of libomp
  ;;
esac || { echo "failed: $form does not build"; exit 1; }
# Removes the lines that differ in solo: a device is opened at its first use, an image is loaded before the first region, a
# copy between devices is one operation, and enter data has an id for plain callbacks.
differences() {
  sed -e '/^device_/d' -e 's/\(kind=2 [a-z]* device=0\) id=[a-z]*/\1/' -e '/^-- copies/,/^-- associate/d' \
    -e 's/d[0-9][0-9]*@0/d@0/g' "$1"
}
wrong=0
for run in emi plain emi,HOST_FIRST=1; do
  callbacks=${run%%,*} first=${run#"$callbacks"}
  env ${first#,} SOLO_HOST_DEVICES=4 OMP_TARGET_OFFLOAD=mandatory TOOL_FORM=$callbacks timeout 20 "$work/program" \
    >"$work/$callbacks" || { echo "$run: exit status $?"; wrong=1; }
  if [ "$form" = stock ]; then
    differences "$work/$callbacks" | sed '/^start\|^set/d' >"$work/have"
    differences tests/ompt/$callbacks.wanted | sed '/^start\|^set/d' >"$work/want"
    diff "$work/want" "$work/have" || wrong=1
  else
    diff tests/ompt/$callbacks.wanted "$work/$callbacks" || wrong=1
  fi
done
exit $wrong

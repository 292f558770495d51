#!/bin/sh
# Builds each example as a static executable and runs it. Exit status 0: all answers are right.
#   examples/demo.sh [FOLDER OF solo-cc]      CLANG=clang-22 selects another compiler
cd "$(dirname "$0")/.." || exit 1
bin=${1:-build/bin}
out=build/examples
clang=${CLANG:-clang-19}
mkdir -p $out
wrong=0
for source in examples/*.c examples/*.cpp examples/*.f90; do
  name=$(basename "${source%.*}")
  [ "$name" != by_hand ] || continue # needs gcc instead of solo-cc
  set -- --clang="$clang" --static
  case $source in
  *.cpp) compiler=solo-c++ ;;
  *.f90)
    flang=${SOLO_FLANG:-flang-22}
    command -v "$flang" >/dev/null || { echo "$source: skipped, no $flang (package flang-22)"; continue; }
    [ -f build/lib/glibc/libsolo.a ] || [ "$bin" != build/bin ] || { echo "$source: skipped, no build for glibc"; continue; }
    compiler=solo-fc
    set -- -J build/modules
    mkdir -p build/modules
    ;;
  *) compiler=solo-cc ;;
  esac
  shown=' --static'
  [ $compiler = solo-fc ] && shown=
  echo "\$ $compiler$shown -O2 $source -o $out/$name"
  if ! "$bin/$compiler" "$@" -O2 "$source" -o "$out/$name" -lm; then
    echo "examples/demo.sh: $source does not build" >&2
    wrong=$((wrong + 1))
    continue
  fi
  strip -o "$out/$name.stripped" "$out/$name"
  file -b "$out/$name" | sed 's/, BuildID[^,]*//; s/^/  /'
  echo "  $(wc -c <"$out/$name.stripped") bytes stripped"
  "$out/$name" || wrong=$((wrong + 1))
done
rm -f $out/*.stripped
[ $wrong -eq 0 ] && echo "all answers are right" || echo "examples/demo.sh: $wrong wrong" >&2
exit $((wrong > 0))

#!/bin/sh
# Description: builds a C and C++ program with Clang and -L, for each linker, -O0 to -O3, with and without PIE. The
# outputs must be those of LLVM's libomptarget.   matrix.sh VERSION [all]    VERSION: of Clang; all: each combination
. tests/dropin/lib.sh
v=$1
all=${2:-no}
need "clang-$v"
# is_selected OPT PIE [LINKER]: each value of an option once
is_selected() {
  [ $all = all ] && return
  case $v$1 in
  19-O[03] | 22-O[12]) pie_wanted=-pie ;;
  *) pie_wanted=-no-pie ;;
  esac
  case $v$1 in
  19-O[02] | 22-O[13]) linker_wanted=bfd ;;
  *) linker_wanted=lld ;;
  esac
  [ "$2" = $pie_wanted ] && [ "${3:-$linker_wanted}" = $linker_wanted ]
}
for opt in -O0 -O1 -O2 -O3; do
  for pie in -pie -no-pie; do
    is_selected $opt $pie || continue
    pic=-fPIE
    [ $pie = -no-pie ] && pic=-fno-pie
    extra=
    [ $opt = -O1 ] && extra="-g -ffunction-sections -Wl,--gc-sections"
    what="clang-$v $opt $pie $extra"
    c="$opt $pic $extra -I$programs"
    cc $v $c -c "$programs/main.c" -DWITH_CXX -o main.o -Wno-unused-command-line-argument &&
      cc $v $c -c "$programs/unit.c" -o unit.o -Wno-unused-command-line-argument &&
      cc $v $c -c "$programs/library.c" -o library.o -Wno-unused-command-line-argument &&
      cxx $v $c -c "$programs/cxx.cc" -o cxx.o -Wno-unused-command-line-argument &&
      rm -f libpart.a && ar rcs libpart.a library.o || { fail "$what: compile"; continue; }
    for linker in bfd lld; do
      is_selected $opt $pie $linker || continue
      # lld removes sections to which only __start_ symbols refer
      [ -n "$extra" ] && [ $linker = lld ] && extra="$extra -Wl,-z,nostart-stop-gc"
      what="clang-$v $linker $opt $pie $extra"
      cxx $v $opt $pie $extra -fuse-ld=$linker main.o unit.o cxx.o -L. -lpart -L"$lib" $(libomp $v) \
        -o program || { fail "$what: link"; continue; }
      expect "$what" "$programs/wanted" ./program maps
      readelf -d program | grep -q 'NEEDED.*\(omptarget\|LLVM\)' && fail "$what: needs LLVM's library"
    done
  done
done
finish

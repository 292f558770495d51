#!/bin/sh
# Description: checks the direction of includes and symbols: abi -> runtime <- backends, and the order of folders in
# runtime/ and abi/kmpc. upward.list has the exceptions; each must be needed.
cd "$(dirname "$0")/../.." || exit 1
order='base image trace table device construct map launch'
above() { # the folders after $1 in the order
  echo "$order" | sed "s/.*\\b$1\\b *//"
}
upward_includes() {
  for folder in $order; do
    for higher in $(above $folder); do
      grep -lE "#include \"runtime/$higher/" runtime/$folder/*.[ch] 2>/dev/null | while read -r file; do
        echo "$file includes $higher/"
      done
    done
  done
}
kmpc_order='env affinity team task loop api fortran'
objects_of() { # objects_of FOLDER
  find "$1" -name '*.c' | while read -r source; do
    for variant in glibc musl-remote; do # the second has backends/remote
      [ -f "build/$variant/${source%.c}.o" ] && echo "build/$variant/${source%.c}.o" && break
    done
  done
}
allowed=$(grep -v '^#' tests/lint/upward.list)
symbols_of() { # symbols_of FOLDER: prints the prefix of its symbol files, which it creates once
  known=$work/$(echo "$1" | tr / _)
  if [ ! -f "$known.defined" ]; then
    objects_of "$1" | xargs nm -g 2>/dev/null >"$known"
    awk 'NF == 2 {print $2}' "$known" | LC_ALL=C sort -u >"$known.wanted"
    awk 'NF == 3 {print $3}' "$known" | LC_ALL=C sort -u >"$known.defined"
  fi
  echo "$known"
}
refers() { # refers NAME FOLDER NAME FOLDER: prints references of the first to the second; used exceptions to $used
  comm -12 "$(symbols_of "$2").wanted" "$(symbols_of "$4").defined" | while read -r symbol; do
      line=$(echo "$allowed" | while read -r from to pattern why; do
        [ "$from $to" = "$1 $3" ] || continue
        # shellcheck disable=SC2254 # a pattern
        case $symbol in $pattern) echo "$from $to $pattern" ;; esac
      done)
      if [ "$line" ]; then echo "$line" >>"$used"; else echo "$2 refers to $symbol of $4/"; fi
    done
}
upward_symbols() {
  work=$(mktemp -d)
  used=$work/used
  export LC_ALL=C
  for folder in $order; do
    for higher in $(above $folder); do refers "$folder" "runtime/$folder" "$higher" "runtime/$higher"; done
  done
  for folder in $kmpc_order; do
    for higher in $(echo "$kmpc_order" | sed "s/.*\\b$folder\\b *//"); do
      refers "$folder" "abi/kmpc/$folder" "$higher" "abi/kmpc/$higher"
    done
  done
  refers runtime runtime abi abi
  refers backends backends abi abi
  echo "$allowed" | while read -r from to pattern why; do
    [ "$why" ] || echo "tests/lint/upward.list: missing reason for $from $to $pattern"
    grep -qxF "$from $to $pattern" "$used" || echo "tests/lint/upward.list: unused: $from $to $pattern"
  done
  rm -rf "$work"
}
# symbols need a complete build
built=yes
for folder in $order; do
  for source in runtime/$folder/*.c; do
    object=build/glibc/${source%.c}.o
    grep -q "^$source" runtime/sources.list runtime/*/sources.list 2>/dev/null || continue
    [ -f "$object" ] || { built=no; break 2; }
  done
done
bad=$(
  upward_includes
  [ $built = no ] || upward_symbols
  grep -nE '#include "(abi|backends|ports|tests|bench)/' -r runtime --include=*.[ch]
  grep -nE '#include "(abi|ports|tests|bench)/' -r backends --include=*.[ch]
  grep -nE '#include "(backends|ports|tests|bench)/' -r abi tools --include=*.[ch] |
    grep -vE '^tools/solo_server(_mpi)?.c:.*backends/remote/remote_server.h' # the server's main program
  for b in backends/*/; do
    name=$(basename "$b")
    # (the virtual GPU loads and calls its kernels with the CPU's backend)
    grep -nE '#include "backends/' -r "$b" --include=*.[ch] | grep -v "#include \"backends/$name/" |
      grep -vE '^backends/simt/+simt_(module|launch)\.c:.*"backends/host/(elf/load|host_call)\.h"'
  done
  grep -nE '(queue_(copy|launch|sync)\)|(->|\.)queue_(copy|launch|sync))\(' -r runtime abi --include=*.[ch] |
    grep -vE '^runtime/(device/driver_call\.h|backend(_call)?\.[ch]):'
  grep -nE '#include "(\.\./|\./)' -r runtime abi backends tools ports --include=*.[ch]
)
if [ -z "$bad" ] && [ $built = no ]; then
  echo "skipped: $object is not built; run ninja to check symbols (includes: correct)"
  exit 77
fi
[ -z "$bad" ] && { echo "layers are correct"; exit 0; }
echo "$bad"
exit 1

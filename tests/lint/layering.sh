#!/bin/sh
# Description: includes and symbols point one way: abi -> runtime <- backends; no backend includes
# another; within runtime/ a folder uses only those before it in the order below.
cd "$(dirname "$0")/../.." || exit 1
order='base image trace table device construct map launch'
above() { # the folders behind $1 in the order
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
objects=build/glibc/runtime
upward_symbols() { # of the objects of one variant
  for folder in $order; do
    wanted=$(nm -u $objects/$folder/*.o 2>/dev/null | awk 'NF == 2 {print $2}' | sort -u)
    for higher in $(above $folder); do
      nm --defined-only -g $objects/$higher/*.o 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u |
        grep -Fx "$wanted" | while read -r symbol; do
          echo "runtime/$folder refers to $symbol of $higher/"
        done
    done
  done
}
# symbols are looked at in a whole build: without one (or in the middle of one) that is said, and no pass
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
    grep -vE '^tools/solo_server(_mpi)?.c:.*backends/remote/remote_server.h' # its main program
  for b in backends/*/; do
    name=$(basename "$b")
    # (the virtual GPU's kernels are code of this CPU, loaded and called as the CPU's backend does it)
    grep -nE '#include "backends/' -r "$b" --include=*.[ch] | grep -v "#include \"backends/$name/" |
      grep -vE '^backends/simt/+simt_(module|launch)\.c:.*"backends/host/(elf/load|host_call)\.h"'
  done
  # copies, launches and waits go through device/driver_call.h (backend_call.c: what the contract does by itself)
  grep -nE '(queue_(copy|launch|sync)\)|(->|\.)queue_(copy|launch|sync))\(' -r runtime abi --include=*.[ch] |
    grep -vE '^runtime/(device/driver_call\.h|backend(_call)?\.[ch]):'
  grep -nE '#include "(\.\./|\./)' -r runtime abi backends tools ports --include=*.[ch]
)
if [ -z "$bad" ] && [ $built = no ]; then
  echo "skipped: $object is not built: run ninja, symbols cannot be looked at (includes hold)"
  exit 77
fi
[ -z "$bad" ] && { echo "layers hold"; exit 0; }
echo "$bad"
exit 1

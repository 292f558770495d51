#!/bin/sh
# Description: includes point one way: abi -> runtime <- backends; no backend includes another.
cd "$(dirname "$0")/../.." || exit 1
bad=$(
  grep -nE '#include "(abi|backends|ports|tests|bench)/' -r runtime --include=*.[ch]
  grep -nE '#include "(abi|ports|tests|bench)/' -r backends --include=*.[ch]
  grep -nE '#include "(backends|ports|tests|bench)/' -r abi tools --include=*.[ch] |
    grep -v '^tools/solo_server.c:.*backends/remote/remote_server.h' # its main program
  for b in backends/*/; do
    name=$(basename "$b")
    grep -nE '#include "backends/' -r "$b" --include=*.[ch] | grep -v "#include \"backends/$name/"
  done
  grep -nE '#include "(\.\./|\./)' -r runtime abi backends tools ports --include=*.[ch]
)
[ -z "$bad" ] && { echo "layers hold"; exit 0; }
echo "$bad"
exit 1

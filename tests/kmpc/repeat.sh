#!/bin/sh
# Description: repeats all programs that tests.list has in a variant.   repeat.sh VARIANT REPETITIONS
set -u
cd "$(dirname "$0")/../.." || exit 1
export KMPC_OUT=build/tests/kmpc/repeated
failed=0
for program in $(awk -v v="$1" '$5 ~ /check[.]sh$/ && ("," $2 ",") ~ ("," v ",") {print $6}' tests/kmpc/tests.list | sort -u); do
  sh tests/kmpc/check.sh "$program" "$1" "$2" || failed=1
done
exit $failed

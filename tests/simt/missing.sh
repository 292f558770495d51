#!/bin/sh
# Description: a construct without device code fails in the link with the function, the source line and a hint.
set -u
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f build/lib/simt/translate.sh ] || { echo "skipped: the virtual GPU was not configured"; exit 77; }
source=tests/simt/faults/missing.c dir=build/simt/missing
mkdir -p $dir
fail=0
lacks() { # lacks <target> <case> <function>
  log=$dir/$1.$2.log
  line=$(grep -n "/\* $3 \*/" $source | cut -d: -f1)
  build/bin/solo-cc --targets="simt-$1" -g -O1 -DCASE="$2" $source -o "$dir/program" >"$log" 2>&1 && echo "built" >>"$log"
  if ! grep -q "missing.c:$line: undefined reference to .$3'" "$log" || ! grep -q "note: device code for this GPU has no function '\(__kmpc_\|omp_\)" "$log" ||
    ! grep -q 'hint: docs/conformance/device.md' "$log"; then
    echo "failed: $3 on $1:"
    cat "$log"
    fail=1
  fi
}
for target in sm_90 gfx90a; do
  lacks $target 1 __kmpc_copyprivate
  lacks $target 2 __kmpc_task_allow_completion_event
  lacks $target 3 omp_in_explicit_task
done
lacks gfx90a 4 __kmpc_doacross_init
exit $fail

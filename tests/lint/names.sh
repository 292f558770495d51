#!/bin/sh
# Description: checks that the tree has no paths of a build machine, and that only these files end the program:
# base/assert.c; abi/policy.c (OMP_TARGET_OFFLOAD); abi/kmpc (fatal user errors); elf/tls.c (failed access to a thread-local
# variable); runtime/device/rpc.c, rpc_serve.c (requests of kernels); backends/simt/exec/report.c (exit status for races).
cd "$(dirname "$0")/../.." || exit 1
fail=0
paths=$(git grep -nIE '(^|[^a-z./])/(work|farm|root)/|/tmp/bash_job[s]' -- . ':!*.json' 2>/dev/null)
[ -z "$paths" ] || { echo "paths of a build machine:"; echo "$paths"; fail=1; }
ends=$(grep -nE '\b(exit|abort|_Exit|_exit|assert)\(' -r runtime backends abi/*.c abi/*.h --include=*.[ch] |
  grep -vE '^runtime/base/assert\.c:|^abi/policy\.c:|^backends/host/elf/tls\.c:|^backends/simt/exec/report\.c:|^runtime/device/rpc(_serve)?\.c:|static_assert|_Static_assert|//|^\S+:\s*[0-9]*:?\s*\*| \* ')
[ -z "$ends" ] || { echo "ends the program:"; echo "$ends"; fail=1; }
[ $fail = 0 ] && echo "paths and exits are correct"
exit $fail

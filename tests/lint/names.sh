#!/bin/sh
# Description: no path of a build machine, no package host in the tree; exit, abort and assert only
# where allowed (base/assert.c of the check variants; abi/policy.c ends a program by OMP_TARGET_OFFLOAD;
# abi/kmpc by fatal user errors, two OpenMP runtimes among them;
# elf/tls.c where an access to a thread-local variable cannot be answered, as the dynamic linker does;
# runtime/device/rpc.c and rpc_serve.c end it where a kernel asks so, or asks for what nobody answers; backends/simt/exec/report.c gives a program that ends another status, if it was asked to for races).
cd "$(dirname "$0")/../.." || exit 1
fail=0
paths=$(git grep -nIE '(^|[^a-z./])/(work|farm|root)/|/tmp/bash_job[s]' -- . ':!*.json' 2>/dev/null)
[ -z "$paths" ] || { echo "paths of a machine:"; echo "$paths"; fail=1; }
ends=$(grep -nE '\b(exit|abort|_Exit|_exit|assert)\(' -r runtime backends abi/*.c abi/*.h --include=*.[ch] |
  grep -vE '^runtime/base/assert\.c:|^abi/policy\.c:|^backends/host/elf/tls\.c:|^backends/simt/exec/report\.c:|^runtime/device/rpc(_serve)?\.c:|static_assert|_Static_assert|//|^\S+:\s*[0-9]*:?\s*\*| \* ')
[ -z "$ends" ] || { echo "ends the program:"; echo "$ends"; fail=1; }
[ $fail = 0 ] && echo "names hold"
exit $fail

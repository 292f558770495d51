#!/bin/sh
# Description: memory orders are named in runtime/base/atomic.h alone, every atomic use goes through
# it, and each carries a comment near it (its partner, or why relaxed is enough). A new port's
# imaginary driver (backends/NAME/driver, ports/new-backend.sh) stands for a vendor's code. "likewise", "as
# above" and "a switch" name no partner and no reason.
cd "$(dirname "$0")/../.." || exit 1
fail=0
raw=$(grep -nE 'memory_order_|__atomic_|__sync_|atomic_(load|store|fetch|exchange|compare)' -r runtime abi \
  backends --include=*.[ch] --exclude-dir=driver | grep -vE '^(runtime/base/atomic\.h|abi/kmpc/atomic|abi/include/|abi/device/|backends/simt/device/)' |
  grep -vE '(__kmpc_|solo_kmp_)atomic|atomic_float|DEFINE|define ATOMIC')
[ -z "$raw" ] || { echo "atomics past atomic.h:"; echo "$raw"; fail=1; }
bare=$(awk '
  FNR == 1 { for (i = 0; i < 9; i++) last[i] = "" }
  { window = ""; for (i = 0; i < 8; i++) window = window last[(FNR + i) % 8]; last[FNR % 8] = $0 }
  /solo_(load|store|add|sub|or|and|exchange|cas)_(relaxed|acquire|release|acq_rel|seq_cst)\(|solo_fence_/ {
    if (FILENAME !~ /base\/atomic\.h$/ && window $0 !~ /\/\*|\*\/|\/\/| \* /) pending[FILENAME ":" FNR] = $0
    else next
    getline nextline; last[FNR % 8] = nextline
    if (nextline ~ /\/\*/) delete pending[FILENAME ":" (FNR - 1)]
  }
  END { for (p in pending) print p ": " pending[p] }' \
  $(find runtime abi backends -name '*.[ch]') | sort)
[ -z "$bare" ] || { echo "atomics without a word on their order:"; echo "$bare"; fail=1; }
vague=$(grep -nE 'solo_(load|store|add|sub|or|and|exchange|cas|fence)_.*/\* *(relaxed: *)?(likewise|as above|a switch) *\*/' \
  -r runtime abi backends --include=*.[ch])
[ -z "$vague" ] || { echo "which order, which partner? Say so:"; echo "$vague"; fail=1; }
[ $fail = 0 ] && echo "memory orders hold"
exit $fail

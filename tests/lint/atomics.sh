#!/bin/sh
# Description: checks that atomic operations use runtime/base/atomic.h and have a comment with the partner, or with the
# reason for relaxed order. Skips the driver folder of a new port (ports/new-backend.sh).
cd "$(dirname "$0")/../.." || exit 1
fail=0
raw=$(grep -nE 'memory_order_|__atomic_|__sync_|atomic_(load|store|fetch|exchange|compare)' -r runtime abi \
  backends --include=*.[ch] --exclude-dir=driver | grep -vE '^(runtime/base/atomic\.h|abi/kmpc/atomic|abi/include/|abi/device/|backends/simt/device/)' |
  grep -vE '(__kmpc_|solo_kmp_)atomic|atomic_float|DEFINE|define ATOMIC')
[ -z "$raw" ] || { echo "atomic operations that do not use atomic.h:"; echo "$raw"; fail=1; }
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
[ -z "$bare" ] || { echo "atomic operations without a comment on the memory order:"; echo "$bare"; fail=1; }
vague=$(grep -nE 'solo_(load|store|add|sub|or|and|exchange|cas|fence)_.*/\* *(relaxed: *)?(likewise|as above|a switch) *\*/' \
  -r runtime abi backends --include=*.[ch])
[ -z "$vague" ] || { echo "comments without partner or reason:"; echo "$vague"; fail=1; }
[ $fail = 0 ] && echo "atomic operations are correct"
exit $fail

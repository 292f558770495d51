#!/bin/sh
# Description: checks the words, idioms and spelling of each folder (prose.py).
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
command -v codespell >/dev/null || { echo "skipped: codespell is missing"; exit 77; }
fail=0
python3 tests/lint/prose.py || fail=1
git ls-files -co --exclude-standard | grep -vE '\.(svg|json|png|bin)$|^LICENSE$|^bench/results/|^tests/lint/words\.txt$' |
  xargs codespell --ignore-words=tests/lint/words.txt || { echo "misspelled words (above); a term of the field goes into tests/lint/words.txt"; fail=1; }
exit $fail

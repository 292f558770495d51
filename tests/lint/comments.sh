#!/bin/sh
# Description: files, words and sections of docs/abi-facts.md that comments name exist; section rules stand
# on one line.
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
exec python3 tests/lint/comments.py "$@"

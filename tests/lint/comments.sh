#!/bin/sh
# Description: checks that names in comments exist (comments.py).
cd "$(dirname "$0")/../.." || exit 1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
exec python3 tests/lint/comments.py "$@"

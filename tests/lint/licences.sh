#!/bin/sh
# Description: checks that each file has a copyright and a licence (REUSE specification).
cd "$(dirname "$0")/../.." || exit 1
command -v reuse >/dev/null || { echo "skipped: no reuse"; exit 77; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: reuse needs a git repository"; exit 77; }
reuse lint >build/licences 2>&1 || { tail -n 30 build/licences; exit 1; }
# the list of files must not be empty
grep -q 'license information: [0-9]\{4\} / ' build/licences || { echo "reuse read too few files:"; cat build/licences; exit 1; }

#!/bin/sh
# Description: checks the format of the tree (clang-format 14).
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || { echo "skipped: no clang-format"; exit 77; }
files=$(find runtime abi backends tools ports tests bench examples -name '*.[ch]' -o -name '*.cpp' | grep -v '/build/')
bad=$(clang-format --dry-run -Werror $files 2>&1 | grep 'error:' | cut -d: -f1 | sort | uniq -c)
[ -z "$bad" ] && { echo "formatted"; exit 0; }
echo "not formatted (clang-format -i):"
echo "$bad"
exit 1

#!/bin/sh
# Description: builds tarball, libraries and tools in two folders and checks that the files are identical.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$PWD/build/tests/reproducible
rm -rf "$work"
mkdir -p "$work/a" "$work/another"
for folder in a another; do
  sh ports/packages/tarball.sh "$work/$folder" >/dev/null || exit 1
  tar -xzf "$work/$folder"/solo-*.tar.gz -C "$work/$folder" --strip-components=1
  (cd "$work/$folder" && ./configure.sh --no-tests && CCACHE_DISABLE=1 ninja libraries tools drivers) \
    >"$work/$folder.log" 2>&1 || { echo "failed: the build"; tail -n 5 "$work/$folder.log"; exit 1; }
done
cmp "$work"/a/solo-*.tar.gz "$work"/another/solo-*.tar.gz || exit 1
count=0
fail=0
for file in $(cd "$work/a" && find build/lib build/bin -type f); do
  count=$((count + 1))
  cmp -s "$work/a/$file" "$work/another/$file" || { echo "differs: $file"; fail=1; }
done
echo "$count files compared"
[ $count -gt 15 ] || fail=1
exit $fail

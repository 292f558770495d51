#!/bin/sh
# same_objects.sh BASE [HEAD]: compares the release objects of two commits without debug information.
# Prints the objects that differ and exits with 1 if there is one. A commit that changes only comments
# must leave all objects identical. Builds are cached in build/same/COMMIT.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }

build() { # build <commit>: prints the folder of its objects
  commit=$(git rev-parse --verify "$1^{commit}")
  folder=build/same/$commit
  if [ ! -f "$folder/objects.built" ]; then
    rm -rf "$folder"
    git worktree prune
    git worktree add --detach --force "$folder" "$commit" >/dev/null 2>&1
    (cd "$folder" && ./configure.sh --no-tests >configure.log && ninja >ninja.log) >&2
    touch "$folder/objects.built"
  fi
  echo "$folder"
}
base=$(build "$1")
head=$(build "${2:-HEAD}")
objects() { (cd "$1" && find build -name '*.o' -not -path 'build/same/*' | sort); }
stripped() { # stripped <folder> <object>: its bytes without debug information
  copy=$(mktemp)
  objcopy --strip-debug "$1/$2" "$copy" && cat "$copy"
  rm -f "$copy"
}
fail=0
count=0
list=$(mktemp)
{ objects "$base"; objects "$head"; } | sort -u >"$list"
while read -r object; do
  count=$((count + 1))
  if [ ! -f "$base/$object" ] || [ ! -f "$head/$object" ]; then
    echo "$object: exists in only one of the two commits"
    fail=1
  elif [ "$(stripped "$base" "$object" | sha256sum)" != "$(stripped "$head" "$object" | sha256sum)" ]; then
    echo "$object: differs"
    fail=1
  fi
done <"$list"
rm -f "$list"
[ $fail = 1 ] || echo "$count objects are identical"
exit $fail

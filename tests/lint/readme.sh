#!/bin/sh
# Description: checks the lines of C in README.md's table (tolerance 10 %), that each folder has a README.md or is listed in
# the README.md of its parent, and that a README.md names each source of its folder (or a prefix of names).
#   readme.sh --update    writes the numbers of lines
cd "$(dirname "$0")/../.." || exit 1
fail=0
rows() { sed -n 's/^| `\([a-z_/]*\)\/` |.*|.*[0-9.]* k* *|$/\1/p' README.md; }
lines() { # lines FOLDER: of its C files, without folders that have a row
  set -- "$1" "$(rows | grep "^$1/" | sed 's|.*|-path & -prune -o|')"
  find "$1" $2 -name '*.[ch]' -exec cat {} + | wc -l
}
for folder in $(rows); do
  [ -d "$folder" ] || { echo "README.md: no folder $folder"; fail=1; continue; }
  n=$(lines "$folder")
  [ "$n" -gt 0 ] || continue
  told=$(awk -F '|' -v folder=" \`$folder/\` " '$2 == folder { print $4 * 1000 }' README.md)
  [ "$told" -gt 0 ] || continue # a row without a number
  if [ "${1-}" = --update ]; then
    k=$(echo "$n" | awk '{ printf "%.1f k", $1 / 1000 }')
    sed -i "s#^\(| \`$folder/\` |.*| \)[0-9.]* k |\$#\1$k |#" README.md
  elif [ $((told * 10)) -gt $((n * 11)) ] || [ $((told * 10)) -lt $((n * 9)) ]; then
    echo "README.md: $folder has $n lines, the table has $told; run tests/lint/readme.sh --update"
    fail=1
  fi
done
for folder in $(git ls-files runtime abi backends tools tests | xargs -n 1 dirname | grep -v -e '/.*/.*/' -e '^tests/.*/' | sort -u); do
  [ -f "$folder/README.md" ] && continue
  above=$(dirname "$folder")/README.md
  name=$(basename "$folder")
  case $above in ./README.md) above=README.md ;; esac
  [ -f "$above" ] && grep -q "\`$name/\`" "$above" && continue
  echo "$folder has no README.md and no README.md lists it"
  fail=1
done
for source in $(git ls-files 'runtime/*.c' 'abi/*.c' 'tools/*.c'); do
  page=$(dirname "$source")/README.md
  case $source in abi/kmpc/*) page=abi/kmpc/README.md ;; esac
  [ -f "$page" ] || continue
  name=$(basename "$source" .c)
  grep -qE "\`([a-z]+/)?($name(\.c|\.\[ch\])?|${name%%_*}_\*\.c)\`" "$page" || { echo "$page does not name $source"; fail=1; }
done
for readme in $(git ls-files '*/README.md'); do
  for name in $(sed -n 's/^| `\([a-z_0-9]*\)\/` |.*/\1/p' "$readme"); do
    [ -d "$(dirname "$readme")/$name" ] || { echo "$readme: no folder $name"; fail=1; }
  done
done
[ $fail = 0 ] && echo "README files are correct"
exit $fail

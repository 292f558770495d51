# Functions of the tests of the tools. A test sets name and sources this file, which changes to a new folder.
#   SOLO_TREE: the build folder or installation under test   [build]
set -u
tree=$(cd "${SOLO_TREE:-build}" && pwd)
work=$(pwd)/build/tests/tools/$name${SOLO_TREE:+-tree}
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
temporary=$work/temporary # must be empty at the end
mkdir "$temporary"
export TMPDIR="$temporary"
cc=$tree/bin/solo-cc
cxx=$tree/bin/solo-c++
link=$tree/bin/solo-link
checks=0
failed=0

fail() { echo "failed: $*"; failed=$((failed + 1)); }
# works COMMAND...: must succeed
works() {
  checks=$((checks + 1))
  "$@" >out 2>&1 || { fail "$* (status $?)"; sed 's/^/    /' out; return 1; }
}
# Arguments: TEXT COMMAND...; the command must succeed and print exactly TEXT
says() {
  text=$1
  shift
  works "$@" || return 1
  [ "$(cat out)" = "$text" ] || fail "$* printed '$(cat out)', expected '$text'"
}
# refused "PART|PART..." COMMAND...: must fail with every PART in its message
refused() {
  parts=$1
  shift
  checks=$((checks + 1))
  if "$@" >out 2>&1; then
    fail "$* succeeded; expected an error with: $parts"
    return 1
  fi
  echo "$parts" | tr '|' '\n' | while read -r part; do
    grep -qF -- "$part" out || echo "$part"
  done >missing
  if [ -s missing ]; then
    fail "$*: the message lacks: $(cat missing)"
    sed 's/^/    /' out
  fi
}
# count NUMBER SUBJECT COMMAND...: must print NUMBER
count() {
  number=$1 what=$2
  shift 2
  checks=$((checks + 1))
  got=$("$@" 2>/dev/null)
  [ "$got" = "$number" ] || fail "$what: $got, expected $number"
}
is_static() {
  checks=$((checks + 1))
  readelf -lW "$1" | grep -q INTERP && fail "$1 has an interpreter"
  readelf -dW "$1" 2>/dev/null | grep -q NEEDED && fail "$1 has NEEDED entries"
}
# entries PROGRAM SECTION SIZE: prints the number of offload entries
entries() {
  start=$(nm "$1" | awk -v s="__start_$2" '$3 == s { print $1 }')
  stop=$(nm "$1" | awk -v s="__stop_$2" '$3 == s { print $1 }')
  echo $(((0x${stop:-0} - 0x${start:-0}) / $3))
}
done_testing() {
  left=$(find "$temporary" -name 'solo-*')
  [ -z "$left" ] || fail "temporary files remain:" $left
  echo "$checks checks, $failed failed"
  [ $failed -eq 0 ] && [ $checks -gt 0 ]
  exit
}

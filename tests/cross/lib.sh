# For the scripts of this folder: $host, $machine, what runs a program of that machine ($qemu), $work.
# Usage: . tests/cross/lib.sh    with $1 the host
host=$1
machine=${host%%-*}
cd "$(dirname "$0")/../.." || exit 1
missing=$(sh ports/cross/packages.sh list "$host" | grep -v '^libomp')
[ -z "$missing" ] || { echo "skipped: missing packages:" $missing; exit 77; }
[ -f "build/lib/$host/glibc/libsolo.a" ] || { echo "skipped: solo is not built for $host"; exit 77; }
qemu="qemu-$machine -L /usr/$host"
work=build/tests/cross/$machine
mkdir -p "$work"
fail=0
bad() {
  echo "failed: $*"
  fail=1
}
# check NAME COMMAND...: its output only if it fails
check() {
  name=$1
  shift
  "$@" >"$work/$name.out" 2>&1 </dev/null && return
  bad "$name: status $?"
  tail -n 12 "$work/$name.out" | sed 's/^/    /'
}
finish() {
  [ $fail = 0 ] && echo "all right"
  exit $fail
}

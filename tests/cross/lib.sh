# Sourced with the host in $1: sets $host, $machine, $qemu (runs a program), $work.
host=$1
machine=${host%%-*}
cd "$(dirname "$0")/../.." || exit 1
missing=$(sh ports/cross/packages.sh list "$host" | grep -v '^libomp')
[ -z "$missing" ] || { echo "skipped: missing packages:" $missing; exit 77; }
[ -f "build/lib/$host/glibc/libsolo.a" ] || { echo "skipped: solo is not built for $host"; exit 77; }
qemu="qemu-$machine -L /usr/$host"
# Page sizes of that machine's kernels other than 4096 bytes. in_pages checks for calls that the kernel would reject,
# because qemu-user accepts them.
case $machine in aarch64) page_sizes='16384 65536' ;; *) page_sizes= ;; esac
work=build/tests/cross/$machine
mkdir -p "$work"
fail=0
bad() {
  echo "failed: $*"
  fail=1
}
# check NAME COMMAND...: prints the output on failure
check() {
  name=$1
  shift
  "$@" >"$work/$name.out" 2>&1 </dev/null && return
  bad "$name: status $?"
  tail -n 12 "$work/$name.out" | sed 's/^/    /'
}
# in_pages NAME COMMAND...: checks with each page size that no system call has an address inside a page
in_pages() {
  what=$1
  shift
  for size in $page_sizes; do
    log=$PWD/$work/$what-$size.calls
    check "$what-$size" timeout 250 $qemu -p "$size" -strace -D "$log" "$@"
    # line: PROCESS call(address,...) = result
    wrong=$(sed -nE 's/^.*(mprotect|munmap|madvise)\(0x0*([0-9a-f]+),.*/\1 \2/p
      s/^.*mmap\(0x0*([0-9a-f]+),[^)]*MAP_FIXED.*/mmap \1/p' "$log" |
      if [ "$size" = 65536 ]; then grep -v '0000$'; else grep -v '[048c]000$'; fi | head -n 3)
    [ -z "$wrong" ] || bad "$what with pages of $size bytes: an address is not page-aligned:" $wrong
    grep -q 'mprotect\|mmap\|brk' "$log" || bad "$what: no system calls in the log"
    rm -f "$log"
  done
}
# loader_images FOLDER: builds the images of tests/loader for that machine
loader_images() {
  ninja -t commands loader_images | grep -v '^mkdir -p build/tests/loader;' |
    sed "s|build/tests/loader/|$1/|g
      s|clang++-19|clang++-19 --target=$host|
      s|clang-19|clang-19 --target=$host|
      s| gcc | $host-gcc |
      s| -mtls-dialect=gnu2||" >"$work/images.sh"
  sh -e "$work/images.sh" >"$work/images.out" 2>&1 || { bad "images"; tail -n 5 "$work/images.out"; }
}
# loader_test TEST FOLDER OBJECT...: links $work/TEST
loader_test() {
  made=$1 images=$2
  shift 2
  "$host-g++" -pthread "$@" "build/$host/check/libsolo_test.a" -Wl,--no-as-needed "$images/libthing.so" \
    -Wl,-rpath,"$PWD/$images" -lpthread -lm -o "$work/$made" || bad "$made does not link"
}
finish() {
  [ $fail = 0 ] && echo "passed"
  exit $fail
}

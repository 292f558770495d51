# Functions and variables of the drop-in tests.
set -u
root=$PWD
lib=$root/build/lib/glibc
shared=$lib/shared
stock=/usr/lib/llvm-19/lib # LLVM 22 has no libomp
programs=$root/tests/dropin/programs
work=$root/build/tests/dropin/$(basename "$0" .sh)-$(echo "$*" | tr -c 'A-Za-z0-9\n' _)
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
target=-fopenmp-targets=x86_64-pc-linux-gnu
wrong=0
fail() { echo "FAILED: $*"; wrong=$((wrong + 1)); }
skip() { echo "skipped: $*"; exit 77; }
need() { command -v "$1" >/dev/null || skip "no $1"; }

# cc VERSION ARGUMENTS: calls Clang; ignores its warnings
cc() {
  v=$1; shift
  flags=
  [ "$v" = 22 ] && flags="-isystem $root/build/include"
  "clang-$v" -fopenmp $target $flags "$@" 2>cc.log || { cat cc.log; return 1; }
}
cxx() {
  v=$1; shift
  flags=
  [ "$v" = 22 ] && flags="-isystem $root/build/include"
  "clang++-$v" -fopenmp $target $flags "$@" 2>cc.log || { cat cc.log; return 1; }
}
# the option for libomp, which Clang 19 does not need
libomp() { [ "$1" = 22 ] && echo "-L$stock"; }

# expect NAME FILE COMMAND: compares the output with FILE
expect() {
  name=$1 wanted=$2; shift 2
  # exact, because programs may use more threads than processors
  if ! OMP_TARGET_OFFLOAD=mandatory SOLO_HOST_THREADS=exact "$@" >out 2>err; then
    fail "$name: exit status"; cat out err; return 1
  fi
  cmp -s out "$wanted" || { fail "$name: wrong output"; diff "$wanted" out; return 1; }
}
finish() { [ $wrong -eq 0 ] && echo "all correct"; exit $((wrong > 0)); }

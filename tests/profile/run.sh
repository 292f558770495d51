#!/bin/sh
# Description: checks LIBOMPTARGET_PROFILE with several threads, in each form of the library.
#   tests/profile/run.sh static-musl|static-glibc|archive|shared|deferred|unasked (static without --profile)
set -u
form=$1
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
root=$PWD
prefix=$root/${SOLO_PREFIX:-build}
work=$root/build/tests/profile/$form
rm -rf "$work"
mkdir -p "$work"
cp tests/profile/program.c "$work/pro\"gram\\ \$é.c"
cd "$work" || exit 1
source=$(echo pro*.c)
memory=none
wrong=0
fail() { echo "FAILED: $*"; wrong=1; }
build() {
  case $form in
  static-musl) "$prefix/bin/solo-cc" --static --musl --profile -g -O1 "$@" ;;
  static-glibc) "$prefix/bin/solo-cc" --static --glibc --profile -g -O1 "$@" ;;
  unasked) "$prefix/bin/solo-cc" --static -g -O1 "$@" ;;
  archive) "$prefix/bin/solo-cc" -g -O1 "$@" ;;
  shared) clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -g -O1 "$@" -L"$prefix/lib/glibc/shared-cpu" \
    -Wl,-rpath,"$prefix/lib/glibc/shared-cpu" -Wl,-rpath,/usr/lib/llvm-19/lib ;;
  deferred) memory=waits; "$prefix/bin/solo-cc" --static --glibc -g -O1 "$@" ;;
  esac
}
build "$source" -o program || { echo "cannot build program.c"; exit 1; }
# run FILE MODE: must succeed
run() {
  LIBOMPTARGET_PROFILE=$1 ./program "$2" >out 2>err
  status=$?
  [ $status -eq 0 ] || fail "$2: exit status $status"
}
silent() { [ -s out ] || [ -s err ] || return 0; fail "$1: unexpected output: $(cat out err)"; }

if [ $form = unasked ]; then
  run x.json return
  grep -q 'LIBOMPTARGET_PROFILE: .*solo-cc --profile' err || fail "the message does not name --profile: $(cat err)"
  [ "$(wc -l <err)" -eq 1 ] || fail "more than one line: $(cat err)"
  [ ! -e x.json ] || fail "a file was written"
  nm program | grep -q solo_profile && nm program | grep ' [tT] solo_profile' && fail "solo_profile is linked"
  exit $wrong
fi
export OMP_NUM_THREADS=2
modes='return exit-thread atexit fork chdir'
case $form in static-* | deferred) modes="$modes destructor" ;; esac
for mode in $modes; do
  run "$mode \"é.json" $mode
  silent $mode
  python3 "$root/tests/profile/check.py" "$mode \"é.json" $mode $memory 'pro"gram\ $é.c' || fail "$mode"
done
run fail.json fail # falls back to the host
python3 "$root/tests/profile/check.py" fail.json fail $memory || fail "mode fail"
OMP_TARGET_OFFLOAD=mandatory LIBOMPTARGET_PROFILE=end.json ./program fail 2>/dev/null
[ $? -eq 134 ] || fail "mandatory: wrong exit status"
python3 -m json.tool end.json >/dev/null || fail "mandatory: no profile"
grep -q '"failed":"' end.json && fail "mandatory: the profile has the failed region"

LIBOMPTARGET_PROFILE_GRANULARITY=10000000 LIBOMPTARGET_PROFILE=none.json ./program || fail "granularity: exit status"
[ "$(grep -c '"ph":"X"' none.json)" -eq 0 ] || fail "granularity: the profile has short events"
python3 -m json.tool none.json >/dev/null || fail "granularity: invalid JSON"

run no/such/folder return
[ "$(cat err)" = "solo: warning: LIBOMPTARGET_PROFILE=no/such/folder cannot be written (No such file or directory): there will be no profile" ] ||
  fail "unwritable file: $(cat err)"
run /dev/full return
[ "$(head -n 1 err)" = "solo: warning: LIBOMPTARGET_PROFILE: /dev/full could not be written: No space left on device" ] ||
  fail "full device: $(cat err)"
LIBOMPTARGET_PROFILE=off.json OMP_TARGET_OFFLOAD=disabled ./program >out 2>err || fail "disabled: exit status"
silent disabled
[ ! -e off.json ] || fail "disabled: a file was written"
exit $wrong

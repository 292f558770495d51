#!/bin/sh
# Description: error messages: a function without declare target, an invalid device, an extended mapping, a missing
# flang.   errors.sh FORM
set -eu
cd "$(dirname "$0")/../.."
. tests/fortran/lib.sh
form=$1
exe=$out/errors.$form
fail() {
  echo "failed: $*"
  exit 1
}
says() { # says FILE PATTERN WHAT
  grep -q "$2" "$1" || { cat "$1"; fail "$3: no '$2' in the message"; }
}

compile "$form" "$exe.unit.o" -c tests/fortran/errors_unit.f90
compile "$form" "$exe.call.o" -c tests/fortran/errors_call.f90
compile "$form" "$exe.call" "$exe.call.o" "$exe.unit.o" >"$exe.log" 2>&1 &&
  fail "a function without declare target: the program links"
says "$exe.log" undeclared_ "a function without declare target"
[ "$form" != static ] || says "$exe.log" 'declare target' "a function without declare target"

compile "$form" "$exe" tests/fortran/errors.f90
"$exe" device >"$exe.log" 2>&1 || fail "device 77 without OMP_TARGET_OFFLOAD: status $?"
says "$exe.log" 'on the host' "device 77"
says "$exe.log" 'device number 77' "device 77"
status=0
OMP_TARGET_OFFLOAD=mandatory "$exe" device >"$exe.log" 2>&1 || status=$?
[ $status -eq 134 ] || fail "mandatory, device 77: status $status"
says "$exe.log" 'device number 77' "mandatory, device 77"
! grep -q 'on the host' "$exe.log" || fail "mandatory: ran on the host"
status=0
OMP_TARGET_OFFLOAD=mandatory "$exe" extend >"$exe.log" 2>&1 || status=$?
[ $status -eq 134 ] || { cat "$exe.log"; fail "mandatory, an extended mapping: status $status"; }
says "$exe.log" "'a(20:80)' (.*/errors.f90:[0-9]" "an extended mapping"

build/bin/solo-fc --flang=no-such-flang tests/fortran/errors.f90 >"$exe.log" 2>&1 && fail "no flang: success"
says "$exe.log" 'no such compiler: no-such-flang' "no flang"
build/bin/solo-fc --targets=ptx-sm_90 tests/fortran/errors.f90 >"$exe.log" 2>&1 && fail "--targets=ptx-sm_90: success"
says "$exe.log" 'not available for Fortran' "--targets=ptx-sm_90"
build/bin/solo-fc --targets=sm90 tests/fortran/errors.f90 >"$exe.log" 2>&1 && fail "--targets=sm90: success"
says "$exe.log" "unknown target 'sm90'" "--targets=sm90"
status=0
SOLO_FLANG=no-such-flang sh tests/fortran/check.sh saxpy "$form-O0" >"$exe.log" 2>&1 || status=$?
[ $status -eq 77 ] || fail "a test without flang: status $status, not 77"
says "$exe.log" 'skipped: no no-such-flang' "a test without flang"

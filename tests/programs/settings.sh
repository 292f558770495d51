#!/bin/sh
# Description: a wrong setting that several parts use is reported once; a program with more rights than
# its caller (set-id) writes no file that a variable names and shows nothing.
set -eu
cd "$(dirname "$0")/../.."
dir=$PWD/build/tests/programs/settings
rm -rf "$dir"
mkdir -p "$dir"
cat >"$dir/f.c" <<'END'
#include <omp.h>
int main(void) {
  int x = 0;
#pragma omp target map(tofrom: x)
  x = 1;
#pragma omp parallel
  ;
  return omp_get_max_threads() < 1 || x != 1;
}
END
build/bin/solo-cc --static -O1 "$dir/f.c" -o "$dir/f"
build/bin/solo-cc --static --profile -O1 "$dir/f.c" -o "$dir/profiled"
bad=0
fail() { echo "failed: $*"; bad=1; }
for setting in OMP_TARGET_OFFLOAD=bogus OMP_NUM_TEAMS=9223372036854775807 OMP_DEFAULT_DEVICE=-1 \
  OMP_TEAMS_THREAD_LIMIT=none; do
  text=$(env "$setting" "$dir/f" 2>&1) || fail "$setting: exit status $?"
  [ "$(printf '%s\n' "$text" | grep -c "${setting%%=*}")" = 1 ] || fail "$setting: not one line: $text"
done
text=$(OMP_TARGET_OFFLOAD=' Mandatory ' "$dir/f" 2>&1) && [ -z "$text" ] || fail "blanks: $text"
# Beside libomp, which reads it as 2^31-1, too.
cat >"$dir/teams.c" <<'END'
int main(void) {
  int teams = 0;
#pragma omp target teams map(tofrom : teams) reduction(+ : teams)
  teams++;
  return teams;
}
END
build/bin/solo-cc -O1 "$dir/teams.c" -o "$dir/teams"
OMP_NUM_TEAMS=9223372036854775807 timeout 50 "$dir/teams" 2>"$dir/said" || [ $? = 1 ] || fail "2^63-1 teams beside libomp"
grep -q '^solo: .*OMP_NUM_TEAMS="9223372036854775807" is not understood' "$dir/said" || fail "2^63-1 teams: not told"
# Set-id: run as one user, with the rights of another.
trace() { rm -f "$dir/out/trace.json"; LIBOMPTARGET_PROFILE=$dir/out/trace.json LIBOMPTARGET_INFO=-1 "$dir/profiled" 2>&1; }
mkdir "$dir/out"
chmod 777 "$dir/out"
text=$(trace)
[ -s "$dir/out/trace.json" ] && [ -n "$text" ] || fail "no trace where it is allowed: $text"
if [ "$(id -u)" = 0 ] && chown nobody "$dir/profiled" && chmod u+s "$dir/profiled"; then
  text=$(trace)
  [ ! -e "$dir/out/trace.json" ] || fail "a set-id program wrote a file that a variable names"
  [ -z "$text" ] || fail "a set-id program shows: $text"
else
  echo "note: set-id not tried: not root"
fi
[ $bad = 0 ] && echo ok
exit $bad

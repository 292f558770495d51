#!/bin/sh
# Description: checks that a wrong setting is reported once. A set-user-ID program must ignore variables that name
# output files or request output.
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
  [ "$(printf '%s\n' "$text" | grep -c "${setting%%=*}")" = 1 ] || fail "$setting: not reported in exactly one line: $text"
done
text=$(OMP_TARGET_OFFLOAD=' Mandatory ' "$dir/f" 2>&1) && [ -z "$text" ] || fail "value with blanks: $text"
# libomp also reads the value as 2^31-1
cat >"$dir/teams.c" <<'END'
int main(void) {
  int teams = 0;
#pragma omp target teams map(tofrom : teams) reduction(+ : teams)
  teams++;
  return teams;
}
END
build/bin/solo-cc -O1 "$dir/teams.c" -o "$dir/teams"
OMP_NUM_TEAMS=9223372036854775807 timeout 50 "$dir/teams" 2>"$dir/messages" || [ $? = 1 ] || fail "2^63-1 teams with libomp: wrong exit status"
grep -q '^solo: .*OMP_NUM_TEAMS="9223372036854775807" is not understood' "$dir/messages" || fail "2^63-1 teams: not reported"
# set-user-ID
trace() { rm -f "$dir/out/trace.json"; LIBOMPTARGET_PROFILE=$dir/out/trace.json LIBOMPTARGET_INFO=-1 "$dir/profiled" 2>&1; }
mkdir "$dir/out"
chmod 777 "$dir/out"
text=$(trace)
[ -s "$dir/out/trace.json" ] && [ -n "$text" ] || fail "no trace in an ordinary program: $text"
if [ "$(id -u)" = 0 ] && chown nobody "$dir/profiled" && chmod u+s "$dir/profiled"; then
  text=$(trace)
  [ ! -e "$dir/out/trace.json" ] || fail "a set-user-ID program writes the trace file"
  [ -z "$text" ] || fail "a set-user-ID program prints: $text"
else
  echo "note: set-user-ID not tested: not root"
fi
[ $bad = 0 ] && echo ok
exit $bad

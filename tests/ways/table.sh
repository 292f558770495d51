#!/bin/sh
# Makes the table seed x statement x program x verdict of tests/ways/seeds.list from the results of a run:
# table.sh LOGS > TABLE. Verdicts: pass, FAIL, skipped; not run (tests left out by a pattern).
cd "$(dirname "$0")/../.." || exit 1
logs=${1:?table.sh LOGS}
verdict() { # verdict <patterns of test names, blank between>
  [ "$1" = - ] && { echo -; return; }
  worst='not run'
  for pattern in $1; do
    set +f; set -- "$logs"/*.result; set -f
    for file; do
      [ -f "$file" ] || continue
      read -r word name rest <"$file"
      # shellcheck disable=SC2254
      case $name in $pattern | $pattern@* | $pattern!) ;; *) continue ;; esac
      case $word in
      FAIL) worst=FAIL ;;
      PASS) [ "$worst" = FAIL ] || worst=pass ;;
      SKIP) [ "$worst" = 'not run' ] && worst=skipped ;;
      esac
    done
  done
  echo "$worst"
}
echo '| seed | statement | program | CPU | simulated NVIDIA | simulated AMD | virtual NVIDIA | virtual AMD |'
echo '|---|---|---|---|---|---|---|---|'
grep -v '^#' tests/ways/seeds.list | while IFS='|' read -r seed statement program cpu nvidia amd vnvidia vamd; do
  set -f
  printf '|%s|%s|%s' "$seed " "$statement" "$program"
  for cell in "$cpu" "$nvidia" "$amd" "$vnvidia" "$vamd"; do
    cell=$(echo "$cell" | tr -s ' ' | sed 's/^ //; s/ $//')
    set +f
    printf '| %s ' "$(set -f; verdict "$cell")"
  done
  echo '|'
done
echo
echo '`-`: the statement is not about such a device; under "virtual" also: it is about the interface to a driver or about'
echo 'bytes of an image, which the simulated driver, behind which the virtual GPU runs, shows. A cell that a pattern of tests'
echo 'left out is "not run"; "skipped": a tool is not installed.'

#!/bin/sh
# Prints the table of seeds.list with the verdicts of a run: table.sh LOGS > TABLE.
cd "$(dirname "$0")/../.." || exit 1
logs=${1:?table.sh LOGS}
verdict() { # verdict <patterns of test names>
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
echo '`-`: the statement does not concern such a device, or, under "virtual", concerns the driver interface or the bytes of an'
echo 'image, which the columns of the simulated driver cover. "not run": excluded by a pattern of tests; "skipped": a tool is'
echo 'missing.'

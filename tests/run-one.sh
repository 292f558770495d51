#!/bin/sh
# Runs one line of run.sh's plan (cost, name, limit, command, file, kind) and writes its result to $logs.
IFS='	' read -r _ name limit command file _ <<END
$1
END
file=$logs/$file
start=$(date +%s.%N)
timeout -k 5 "$limit" sh -c "$command" >"$file.log" 2>&1 </dev/null
rc=$?
case $rc in
0) word=PASS why= ;;
77) word=SKIP why=" ($(grep -m1 '^skipped:' "$file.log"))" ;;
124 | 137) word=FAIL why=" (longer than $limit s)" ;;
*) word=FAIL why=" (exit status $rc)" ;;
esac
times >"$file.time" # of this shell; a subshell has its own
end=$(date +%s.%N)
awk -F '[ms ]+' -v start="$start" -v end="$end" -v name="$name" 'NR == 2 {
  printf "%.1f %.1f %s\n", end - start, $1 * 60 + $2 + $3 * 60 + $4, name}' "$file.time" >"$file.new"
mv "$file.new" "$file.time"
read -r took _ <"$file.time"
echo "$word $name$why" >"$file.result"
set -- "$logs"/*.result
echo "[$#/$planned] $word $name ${took}s$why"
[ $word = FAIL ] && sed 's/^/    /' "$file.log" | tail -n 30
exit 0

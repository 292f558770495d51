#!/bin/sh
# Runs one line of run.sh's plan (cost, name, limit, command) and writes its result to $logs.
line=$1
name=$(printf '%s' "$line" | cut -f2)
limit=$(printf '%s' "$line" | cut -f3)
command=$(printf '%s' "$line" | cut -f4)
file=$logs/$(printf '%s' "$name" | tr '/!@ ' '____')
start=$(date +%s.%N)
timeout -k 5 "$limit" sh -c "$command" >"$file.log" 2>&1 </dev/null
rc=$?
took=$(echo "$start $(date +%s.%N)" | awk '{printf "%.1f", $2 - $1}')
case $rc in
0) word=PASS why= ;;
77) word=SKIP why=" ($(grep -m1 '^skipped:' "$file.log"))" ;;
124 | 137) word=FAIL why=" (longer than $limit s)" ;;
*) word=FAIL why=" (exit status $rc)" ;;
esac
times >"$file.time" # of this shell; a subshell has its own
used=$(awk -F '[ms ]+' 'NR == 2 {printf "%.1f", $1 * 60 + $2 + $3 * 60 + $4}' "$file.time")
echo "$word $name$why" >"$file.result"
echo "$took $used $name" >"$file.time"
done=$(ls "$logs" | grep -c '\.result$')
echo "[$done/$planned] $word $name ${took}s$why"
[ $word = FAIL ] && sed 's/^/    /' "$file.log" | tail -n 30
exit 0

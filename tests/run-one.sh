#!/bin/sh
# Runs one line of run.sh's plan (name, limit, command) and writes its result to $logs.
line=$1
name=$(printf '%s' "$line" | cut -f1)
limit=$(printf '%s' "$line" | cut -f2)
command=$(printf '%s' "$line" | cut -f3)
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
echo "$word $name$why" >"$file.result"
echo "$word $name ${took}s$why"
[ $word = FAIL ] && sed 's/^/    /' "$file.log" | tail -n 30
exit 0

#!/bin/sh
# Description: mutation check: each fault of a list, applied to a copy of the tree, must make its test fail or time out.
#   tests/mutations/run.sh LIST [NAME...]    LIST: core, remote, gomp, ... (a .list file of this folder)
# A fault that does not build, a skipped test, and a test that fails without the fault, before or after all faults, are
# errors. The limit of a test with a fault is three times its duration without a fault plus 120 s.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
what=${1:?usage: run.sh LIST [NAME...]}
shift
tree=$root/build/mutation_tree_$what
list=$root/tests/mutations/$what.list
[ -f "$list" ] || { echo "run.sh: no list $list" >&2; exit 2; }
[ -d build/check/tests ] || { echo "skipped: run ninja test_programs first"; exit 77; }
for name; do
  grep -q "^$name|" "$list" || { echo "run.sh: $list has no fault $name" >&2; exit 2; }
done
rm -rf "$tree"
mkdir -p "$tree/build"
git ls-files -z --cached --others --exclude-standard | tar cf - --null -T - | tar xf - -C "$tree"
(cd build && tar cf - --exclude='mutation_tree*' --exclude=suite_llvm --exclude=suite_apps ./*.ninja .ninja_log \
  .ninja_deps check $(grep -q build/asan "$list" && echo asan) lib include \
  sources $(ls -d bin tests libexec sim glibc musl *-linux-gnu/*.ninja 2>/dev/null)) | tar xf - -C "$tree/build"
cd "$tree" || exit 1
list=tests/mutations/$what.list # the copy, because the list may change during the run
# Tests of this list use only this device code.
[ "$what" != device ] || export SOLO_DEVICE_ONLY=nvptx64-nvidia-cuda SOLO_DEVICE_CPU=sm_90
killed=0
survived=0
# One line per test command that passes without a fault: its duration in seconds, its targets, the command.
passed=$tree/build/passed
: >"$passed"
attempt() { # attempt <limit in seconds>: builds $target and runs $command, which read nothing. 200: is not built
  ninja $target </dev/null >"$log" 2>&1 || return 200
  # make.sh continues without a file that is not compiled
  [ "$what" != device ] || ! grep -sv ': not wanted$' build/lib/device/absent >>"$log" || return 200
  begin=$(date +%s)
  timeout -k 5 "$1" sh -c "$command" </dev/null >>"$log" 2>&1
}
not_killed() { # not_killed <kind> <reason>
  printf '%-9s%s\n' "$1" "$name: $2"
  survived=$((survived + 1))
}
limit_of() { # sets limit from the line of $target and $command in $passed; 0: there is none
  limit=$(awk -F '|' -v t="$target" -v c="$command" '$2 == t && $3 == c { n = 120 + 3 * $1 } END { print n + 0 }' "$passed")
}
while IFS='|' read -r name file target command expression <&3; do
  case $name in '' | '#'*) continue ;; esac
  if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
  log=$root/build/mutation.$name.log
  limit_of
  if [ "$limit" = 0 ]; then
    if attempt 300; then
      echo "$(($(date +%s) - begin))|$target|$command" >>"$passed"
      limit_of
    else
      not_killed BROKEN "without a fault '$command' fails"
      continue
    fi
  fi
  cp "$file" "$file.kept"
  sed "$expression" "$file.kept" >"$file"
  if cmp -s "$file" "$file.kept"; then
    not_killed STALE "changes nothing in $file"
  else
    attempt "$limit"
    case $? in
    0) not_killed SURVIVED "'$command' passed" ;;
    77) not_killed SKIPPED "'$command' was skipped" ;;
    200) not_killed BROKEN "is not built" ;;
    124 | 137)
      echo "killed   $name (after $limit s)"
      killed=$((killed + 1))
      ;;
    *)
      echo "killed   $name"
      killed=$((killed + 1))
      rm -f "$log"
      ;;
    esac
  fi
  cp "$file.kept" "$file" # a new time stamp, so that it is built again
  rm -f "$file.kept"
done 3<"$list"
# A test that depends on chance, or on what an earlier run has left, kills faults without reason.
while IFS='|' read -r _ target command <&3; do
  name=again log=$root/build/mutation.again.log
  attempt 300 || not_killed BROKEN "after all faults, without a fault, '$command' fails"
done 3<"$passed"
echo "$killed faults killed, $survived not"
[ $survived -eq 0 ]

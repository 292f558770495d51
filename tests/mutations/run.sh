#!/bin/sh
# Description: mutation check: each fault of a list, applied to a copy of the tree, must make its test fail or time out.
#   tests/mutations/run.sh LIST [NAME...]    LIST: core, remote, gomp, ... (a .list file of this folder)
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
what=${1:?usage: run.sh LIST [NAME...]}
shift
tree=$root/build/mutation_tree_$what
list=$root/tests/mutations/$what.list
[ -f "$list" ] || { echo "run.sh: no list $list" >&2; exit 2; }
[ -d build/check/tests ] || { echo "skipped: run ninja test_programs first"; exit 77; }
rm -rf "$tree"
mkdir -p "$tree/build"
git ls-files -z --cached --others --exclude-standard | tar cf - --null -T - | tar xf - -C "$tree"
(cd build && tar cf - --exclude='mutation_tree*' --exclude=suite_llvm --exclude=suite_apps ./*.ninja .ninja_log \
  .ninja_deps check $([ "$what" = core ] || echo asan) lib include \
  sources $(ls -d bin tests libexec sim glibc musl *-linux-gnu/*.ninja 2>/dev/null)) | tar xf - -C "$tree/build"
cd "$tree" || exit 1
killed=0
survived=0
passed=
while IFS='|' read -r name file target command expression; do
  case $name in '' | '#'*) continue ;; esac
  if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac; fi
  log=$root/build/mutation.$name.log
  case $passed in
  *"<$command>"*) ;;
  *)
    if ninja $target >"$log" 2>&1 && timeout -k 5 120 sh -c "$command" >>"$log" 2>&1; then
      passed="$passed<$command>"
    else
      echo "BROKEN   $name: without a fault '$command' fails"
      survived=$((survived + 1))
      continue
    fi
    ;;
  esac
  cp "$file" "$file.kept"
  sed "$expression" "$file.kept" >"$file"
  if cmp -s "$file" "$file.kept"; then
    echo "STALE    $name: changes nothing in $file"
    survived=$((survived + 1))
  elif ! ninja $target >"$log" 2>&1; then
    echo "BROKEN   $name: does not build"
    survived=$((survived + 1))
  elif timeout -k 5 120 sh -c "$command" >>"$log" 2>&1; then
    echo "SURVIVED $name: '$command' passed"
    survived=$((survived + 1))
  else
    echo "killed   $name"
    killed=$((killed + 1))
    rm -f "$log"
  fi
  cp "$file.kept" "$file" # a new time stamp, so that it is built again
  rm -f "$file.kept"
done <"$list"
echo "$killed faults killed, $survived not"
[ $survived -eq 0 ]

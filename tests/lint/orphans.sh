#!/bin/sh
# Description: checks that each source is built, each test is listed, the documents name listed tests, and the top folder has
# only known files.
cd "$(dirname "$0")/../.." || exit 1
fail=0
listed=$(find . \( -name '*.ninja' -o -name sources.list \) -not -path './build/*' -exec cat {} +)
for f in $(find runtime abi backends tools ports bench tests -name '*.c' -not -path '*/programs/*' -not -path 'tests/simt/apps/*' \
  -not -path 'bench/q_*' -not -path 'bench/apps/*' -not -path 'ports/conformance/mutations/*'); do
  case $listed in *"$f"*) continue ;; esac
  # named in a script
  grep -rqF "$(basename "$f" .c)" --include=*.sh --include=tests.list --include=soak.list --include=*.ninja \
    "${f%%/*}" 2>/dev/null && continue
  echo "$f is in no sources.list, no .ninja file and no script"
  fail=1
done
lists=$(cat tests/*/*.list ports/*/*.list 2>/dev/null)
for f in tests/unit/test_*.c; do
  name=$(basename "$f" .c)
  case $lists in *"$name"*) ;; *) echo "$f is in no tests.list"; fail=1 ;; esac
done
tests=$(cat tests/*/tests.list tests/*/soak.list ports/*/tests.list | awk '/^[a-z]/ { print $1 }')
for test in $(grep -rhoE '`[a-z_]+/[a-zA-Z0-9_-]+' docs/*.md docs/design | tr -d '`' | sort -u) \
  $(sed -n 's/^| .* | \([a-z_]*\) |$/tools\/\1/p' docs/link-cases.md | grep -v '/test$'); do
  case "$tests" in *"${test%%/*}/"*) ;; *) continue ;; esac
  ls -d "$test"* "tests/$test"* 2>/dev/null | grep -q . && continue
  echo "$tests" | grep -q "^$test" || { echo "docs: no test has the name $test"; fail=1; }
done
top='.ci .clang-format .clang-tidy .github .gitignore .reuse ARCHITECTURE.md CHANGELOG.md CITATION.cff CODE_OF_CONDUCT.md
  CONTRIBUTING.md LICENSE LICENSES README.md SECURITY.md SUPPORT.md abi backends bench build.ninja configure.sh docs examples ports runtime tests tools'
for f in $(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u); do
  case " $(echo $top) " in *" $f "*) ;; *) echo "$f: unexpected file in the top folder"; fail=1 ;; esac
done
[ $fail = 0 ] && echo "no orphans"
exit $fail

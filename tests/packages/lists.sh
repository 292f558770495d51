#!/bin/sh
# Description: compares the file and symbol lists of Debian's recipe with an installation, the versions of all recipes with
# solo.h, and the release tarballs of this tree and of a clone.
#   lists.sh --update    writes ports/packages/debian/libsolo1.symbols
set -u
cd "$(dirname "$0")/../.." || exit 1
debian=ports/packages/debian
library=glibc/shared-cpu/libsolo.so
version=$(sh tools/version.sh)
[ -f "build/lib/$library" ] || { echo "skipped: no build/lib/$library"; exit 77; }
debian_version=$(sh tools/version.sh debian)
symbols() { # symbols VERSION OUT OPTION...: writes OUT from libsolo1.symbols and a library
  now=$1 out=$2
  shift 2
  dpkg-gensymbols -plibsolo1 "-v$now" "-I$debian/libsolo1.symbols" -Pbuild "-O$out" "$@"
}
next=$debian_version+next # dpkg-gensymbols reports only symbols of older versions as missing
if [ "${1:-}" = --update ]; then
  for now in "$debian_version" "$next"; do
    symbols "$now" $debian/libsolo1.symbols "-ebuild/lib/$library" -c0 >/dev/null 2>&1 || exit 1
  done
  exec sed -i '/^#MISSING/d' $debian/libsolo1.symbols
fi
work=$PWD/build/tests/package-lists
rm -rf "$work"
mkdir -p "$work"
fail=0
bad() { echo "failed: $*"; fail=1; }

check_version() { # check_version FILE VERSION-FOUND [FORM]
  [ "$2" = "$(sh tools/version.sh ${3:-})" ] || bad "$1 has version '$2', abi/include/solo.h has $version"
}
numbers=$(sed -n 's/^#define SOLO_VERSION_[MP][A-Z]* *\([0-9]*\)/\1/p' abi/include/solo.h | paste -sd.)
[ "${version%%-*}" = "$numbers" ] || bad "solo.h: SOLO_VERSION_STRING is $version, the numbers are $numbers"
check_version EasyBuild "$(ls ports/packages/easybuild | sed 's/^solo-\(.*\)\.eb$/\1/')"
check_version CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
check_version $debian/changelog "$(sed -n '1s/^solo (\(.*\)) .*/\1/p' $debian/changelog)" debian
check_version ports/packages/alpine/APKBUILD "$(sed -n 's/^pkgver=//p' ports/packages/alpine/APKBUILD)" alpine
check_version ports/packages/spack/package.py "$(sed -n 's/^ *version("\([^"]*\)".*/\1/p' ports/packages/spack/package.py)"
check_version CHANGELOG.md "$(sed -n 's/^## \([0-9][^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)"
check_version build/bin/solo-info "$(build/bin/solo-info --version | sed 's/.* //')"

# files: each pattern matches, and each file is in exactly one package
DESTDIR=$work/root sh tools/install.sh /usr >"$work/out" && sh $debian/arrange "$work/root" "$(uname -m)-linux-gnu" ||
  bad "install.sh or arrange: $(tail -n 3 "$work/out")"
[ -z "$(find "$work/root" -xtype l)" ] || bad "dangling links: $(find "$work/root" -xtype l)"
(cd "$work/root" && find . ! -type d | sed 's|^\./||' | sort) >"$work/files"
: >"$work/taken"
for list in $debian/*.install; do
  case $list in */solo-doc.install) [ -d build/docs/html ] || continue ;; esac
  while read -r pattern to; do
    (cd "$work/root" && find $pattern ! -type d 2>/dev/null) >"$work/found"
    [ -s "$work/found" ] || bad "$list: no file matches $pattern ($to)"
    cat "$work/found" >>"$work/taken"
  done <"$list"
done
(cd "$work/root" && find $(cat "$OLDPWD/$debian/not-installed") ! -type d 2>/dev/null) >>"$work/taken"
sort "$work/taken" | uniq -d | head -n 3 >"$work/twice"
[ ! -s "$work/twice" ] || bad "files in two packages: $(cat "$work/twice")"
sort -u "$work/taken" | comm -23 "$work/files" - >"$work/left"
[ ! -s "$work/left" ] || bad "files in no package: $(head -n 5 "$work/left")"

command -v dpkg-gensymbols >/dev/null || { echo "not checked: symbols (no dpkg-gensymbols)"; library=; }
for place in '' aarch64-linux-gnu/; do
  [ -n "$library" ] && [ -f "build/lib/$place$library" ] || continue
  case $place in '') machine=$(dpkg --print-architecture) ;; *) machine=arm64 ;; esac
  symbols "$next" "$work/symbols" "-a$machine" "-ebuild/lib/$place$library" -c4 >"$work/out" 2>&1 ||
    bad "symbols of $machine differ (update: sh tests/packages/lists.sh --update): $(grep '^[-+] ' "$work/out" | head -n 5)"
done

if git rev-parse HEAD >/dev/null 2>&1; then
  git clone -q --no-checkout . "$work/clone" && git -C "$work/clone" checkout -q HEAD -- ports abi/include tools/version.sh ||
    bad "git clone"
  for tree in . "$work/clone"; do
    (cd "$tree" && sh ports/packages/tarball.sh "$work/of-$(basename "$tree")") >/dev/null || bad "tarball.sh in $tree"
  done
  tarball=solo-$version.tar.gz
  cmp "$work/of-./$tarball" "$work/of-clone/$tarball" || bad "the tarball of a clone differs"
  git ls-tree -r --name-only -z HEAD | tr '\0' '\n' | sort >"$work/tracked"
  tar -tzf "$work/of-clone/$tarball" | grep -v '/$' | sed "s|^solo-$version/||" | sort | cmp - "$work/tracked" ||
    bad "the tarball does not contain exactly the tracked files"
else
  echo "not checked: the tarball (no git repository)"
fi
[ $fail = 0 ] && echo "lists are correct: version $version, $(wc -l <"$work/files") files"
exit $fail

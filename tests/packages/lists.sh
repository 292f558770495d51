#!/bin/sh
# Description: what the package recipes list, against what is built here, in seconds: Debian's lists of files
# and of symbols name all that an installation has and nothing else, every recipe has the version of
# solo.h, and the release tarball of a clone is that of this tree, with all that is tracked.
#   lists.sh --update    writes ports/packages/debian/libsolo1.symbols from the library that is built
set -u
cd "$(dirname "$0")/../.." || exit 1
debian=ports/packages/debian
library=glibc/shared-cpu/libsolo.so # what libsolo1 holds, in build/lib or build/lib/HOST
version=$(sed -n 's/^#define SOLO_VERSION_[A-Z]* *\([0-9]*\)/\1/p' abi/include/solo.h | paste -sd.)
[ -f "build/lib/$library" ] || { echo "skipped: no build/lib/$library"; exit 77; }
symbols() { # symbols VERSION OUT OPTION...: OUT from libsolo1.symbols and from what a library exports
  now=$1 out=$2
  shift 2
  dpkg-gensymbols -plibsolo1 "-v$now" "-I$debian/libsolo1.symbols" -Pbuild "-O$out" "$@"
}
next=$version+next # dpkg-gensymbols takes only symbols of older versions for missing
if [ "${1:-}" = --update ]; then
  for now in "$version" "$next"; do
    symbols "$now" $debian/libsolo1.symbols "-ebuild/lib/$library" -c0 >/dev/null 2>&1 || exit 1
  done
  exec sed -i '/^#MISSING/d' $debian/libsolo1.symbols
fi
work=$PWD/build/tests/package-lists
rm -rf "$work"
mkdir -p "$work"
fail=0
bad() { echo "failed: $*"; fail=1; }

# versions: read from solo.h by tarball.sh, deb.sh and install.sh; written down in these
says_version() { # says_version FILE VERSION-FOUND
  [ "$2" = "$version" ] || bad "$1 says version '$2', abi/include/solo.h $version"
}
says_version $debian/changelog "$(sed -n '1s/^solo (\(.*\)) .*/\1/p' $debian/changelog)"
says_version ports/packages/alpine/APKBUILD "$(sed -n 's/^pkgver=//p' ports/packages/alpine/APKBUILD)"
says_version ports/packages/spack/package.py "$(sed -n 's/^ *version("\([^"]*\)".*/\1/p' ports/packages/spack/package.py)"
says_version CHANGELOG.md "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"
says_version build/bin/solo-info "$(build/bin/solo-info --version | grep -o '[0-9]*\.[0-9]*\.[0-9]*' | head -n 1)"

# the lists of files: each line finds something, and each file is in one package
DESTDIR=$work/root sh tools/install.sh /usr >"$work/out" && sh $debian/arrange "$work/root" "$(uname -m)-linux-gnu" ||
  bad "install.sh or arrange: $(tail -n 3 "$work/out")"
[ -z "$(find "$work/root" -xtype l)" ] || bad "links that lead nowhere: $(find "$work/root" -xtype l)"
(cd "$work/root" && find . ! -type d | sed 's|^\./||' | sort) >"$work/files"
: >"$work/taken"
for list in $debian/*.install; do
  while read -r pattern to; do
    (cd "$work/root" && find $pattern ! -type d 2>/dev/null) >"$work/found"
    [ -s "$work/found" ] || bad "$list: nothing is named $pattern ($to)"
    cat "$work/found" >>"$work/taken"
  done <"$list"
done
(cd "$work/root" && find $(cat "$OLDPWD/$debian/not-installed") ! -type d 2>/dev/null) >>"$work/taken"
sort "$work/taken" | uniq -d | head -n 3 >"$work/twice"
[ ! -s "$work/twice" ] || bad "in two packages: $(cat "$work/twice")"
sort -u "$work/taken" | comm -23 "$work/files" - >"$work/left"
[ ! -s "$work/left" ] || bad "in no package: $(head -n 5 "$work/left")"

# the list of symbols, for this machine and for others that are built
command -v dpkg-gensymbols >/dev/null || { echo "not looked at: symbols (no dpkg-gensymbols)"; library=; }
for place in '' aarch64-linux-gnu/; do
  [ -n "$library" ] && [ -f "build/lib/$place$library" ] || continue
  case $place in '') machine=$(dpkg --print-architecture) ;; *) machine=arm64 ;; esac
  symbols "$next" "$work/symbols" "-a$machine" "-ebuild/lib/$place$library" -c4 >"$work/out" 2>&1 ||
    bad "symbols of $machine (sh tests/packages/lists.sh --update): $(grep '^[-+] ' "$work/out" | head -n 5)"
done

# the tarball: of a clone the same bytes, with every tracked file of the commit
if git rev-parse HEAD >/dev/null 2>&1; then
  git clone -q --no-checkout . "$work/clone" && git -C "$work/clone" checkout -q HEAD -- ports abi/include ||
    bad "git clone"
  for tree in . "$work/clone"; do
    (cd "$tree" && sh ports/packages/tarball.sh "$work/of-$(basename "$tree")") >/dev/null || bad "tarball.sh in $tree"
  done
  tarball=solo-$version.tar.gz
  cmp "$work/of-./$tarball" "$work/of-clone/$tarball" || bad "a clone's tarball is another"
  git ls-tree -r --name-only -z HEAD | tr '\0' '\n' | sort >"$work/tracked"
  tar -tzf "$work/of-clone/$tarball" | grep -v '/$' | sed "s|^solo-$version/||" | sort | cmp - "$work/tracked" ||
    bad "the tarball does not hold what is tracked"
else
  echo "not looked at: the tarball (no git repository)"
fi
[ $fail = 0 ] && echo "lists hold: version $version, $(wc -l <"$work/files") files"
exit $fail

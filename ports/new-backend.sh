#!/bin/sh
# new-backend.sh NAME            clones the skeleton as backends/NAME
# new-backend.sh --remove NAME   removes the clone
# Changes backends/NAME/, ports/conformance/NAME.{c,ninja}, configure.sh and
# ports/conformance/tests.list; configures again with the last options.
set -eu
cd "$(dirname "$0")/.."

die() {
  echo "new-backend.sh: error: $*" >&2
  exit 2
}

# The first line of the log has the last options of configure.sh.
reconfigure() {
  options=$(sed -n '1s/^configure.sh//p' build/configure.log 2>/dev/null || true)
  case $options in
  *--backends=*) echo "this tree is configured with$options: add $name to the list yourself" ;;
  esac
  sh ./configure.sh $options >/dev/null
}

action=add
if [ "${1-}" = --remove ]; then
  action=remove
  shift
fi
name=${1-}
echo "$name" | grep -Eq '^[a-z][a-z0-9]{1,15}$' ||
  die "usage: ports/new-backend.sh [--remove] NAME     (NAME: lower case letters and digits)"
case $name in
solo | host | cuda | hsa | skeleton | skeldrv | backend | backends) die "'$name' is taken" ;;
esac
upper=$(echo "$name" | tr a-z A-Z)
list=ports/conformance/tests.list

if [ $action = remove ]; then
  [ -f "backends/$name/made-by-new-backend" ] ||
    die "backends/$name was not made by this script (or is a port by now): remove it by hand"
  rm -rf "backends/$name" "ports/conformance/$name.c" "ports/conformance/$name.ninja"
  sed -i "/^backends=/s/,$name\b//" configure.sh
  sed -i "\\|^conformance/$name |d" $list
  for v in build/*/; do
    rm -rf "${v}backends/$name" "${v}backends/$name.o" "${v}ports/conformance/$name.o" \
      "${v}ports/conformance_$name"
  done
  reconfigure
  echo "removed backends/$name"
  exit 0
fi

[ ! -e "backends/$name" ] || die "backends/$name exists"
rename() { # rename < skeleton's text: paths, then names
  sed -e "s|ports/skeleton/driver/|backends/$name/driver/|g" -e "s|ports/skeleton/|backends/$name/|g" \
    -e "/^#include/s/skeldrv/${name}drv/g" -e "/^#include/!s/skeldrv_/solo_${name}drv_/g" \
    -e "s/SKELDRV/${upper}DRV/g" \
    -e "s/solo_skeleton_/solo_${name}_/g" -e "s/SOLO_SKELETON/SOLO_$upper/g" \
    -e "s/(skeleton, operation)/($name, operation)/g" -e "s/\"skeleton\"/\"$name\"/g" -e "s/skeleton-%d/$name-%d/g" \
    -e "s/The skeleton backend: the smallest complete port of solo, to be cloned.*/The $name backend./" \
    -e "s/The skeleton backend's/The $name backend's/" -e "s/the skeleton backend/the $name backend/" \
    -e "s/\"skeleton\\.h\"/\"$name.h\"/g" -e "s|/skeleton\\.h\"|/$name.h\"|g"
}
mkdir -p "backends/$name/driver"
for f in ports/skeleton/skeleton*.[ch]; do
  to=$(basename "$f" | sed "s/^skeleton/$name/")
  rename <"$f" >"backends/$name/$to"
done
for f in ports/skeleton/driver/*.[ch]; do
  to=$(basename "$f" | sed "s/^skeldrv/${name}drv/")
  rename <"$f" >"backends/$name/driver/$to"
done
echo "Unchanged clone of ports/skeleton; delete this file when you make it yours." \
  >"backends/$name/made-by-new-backend"

{
  echo "# The $name backend (configure.sh has the form of this list)."
  echo "backends/$name.o:"
  ls "backends/$name"/*.c "backends/$name"/driver/*.c
} >"backends/$name/sources.list"

rename <ports/conformance/skeleton.c >"ports/conformance/$name.c"
sed -e "s/the host backend/the $name backend/" -e "s/host\\.o/$name.o/g" -e "s/host\\.c/$name.c/g" \
  -e "s/conformance_host/conformance_$name/g" ports/conformance/host.ninja \
  >"ports/conformance/$name.ninja"
sed -i "/^backends=/s/\$/,$name/" configure.sh
echo "conformance/$name check,tsan,asan 300 sh ports/conformance/run.sh %v $name" >>$list
if command -v clang-format >/dev/null; then
  clang-format -i "backends/$name"/*.[ch] "backends/$name"/driver/*.[ch] "ports/conformance/$name.c"
fi
reconfigure
cat <<END
made backends/$name: the skeleton under another name, $(cat "backends/$name"/*.[ch] | wc -l) lines, with its
imaginary driver in backends/$name/driver. Now:
  ninja test                                        conformance runs for $name and lists what is missing
  sh tests/run.sh 'conformance/$name@check'         only that
  ports/PORTING.md                                  the tour
END

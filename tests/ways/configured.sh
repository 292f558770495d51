#!/bin/sh
# Description: ./configure.sh --libc=musl builds working tools and a static program. A host-only build has no libsolo_drv.so.
name=ways_configured
. tests/tools/lib.sh
here=$tree/..
(cd "$here" && git ls-files -z | xargs -0 tar cf -) | tar xf - || exit 1
echo 'int main(void) { int r = 1;
#pragma omp target map(from : r)
r = 0; return r; }' >p.c
works ./configure.sh --libc=musl --no-tests
works nice ninja
works build/bin/solo-info --version
works build/bin/solo-cc --static p.c -o p && works ./p
is_static p
works build/bin/solo-pack --help
rm -rf build
works ./configure.sh --libc=glibc --backends=host --no-tests
works nice ninja
works env DESTDIR="$work/installed" sh tools/install.sh /usr
checks=$((checks + 1))
[ -z "$(find build installed -name 'libsolo_drv*' -o -name 'libcuda*')" ] || fail 'a host-only build has files of GPU drivers'
works build/bin/solo-cc p.c -o q && works ./q
done_testing

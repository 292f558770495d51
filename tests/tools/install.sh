# Description: checks that an installation can be moved, is complete and does not refer to the build folder.
name=install
. tests/tools/lib.sh
works env DESTDIR="$work/stage" sh "$tree/../tools/install.sh" /opt/solo
mv stage/opt/solo moved
cat >f.c <<'END'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = 40 + 2 * !omp_is_initial_device();
  printf("%d\n", r);
  return 0;
}
END
cp f.c f.cpp
works moved/bin/solo-cc --static f.c -o p && says 42 ./p
works moved/bin/solo-cc --static --glibc f.c -o p && says 42 ./p
works moved/bin/solo-c++ --static f.cpp -o p && says 42 ./p
works moved/bin/solo-cc f.c -o p && says 42 ./p
works moved/bin/solo-info --version
for tool in solo-cc solo-c++ solo-link solo-info; do
  [ -f moved/share/man/man1/$tool.1 ] || fail "no man page of $tool"
done
checks=$((checks + 1))
grep -rIl "$tree" moved && fail "an installed text file names the build folder"
count 0 'dangling links' sh -c 'find moved -xtype l | wc -l'
for shared in shared shared-cpu; do
  folder=$work/moved/lib/solo/glibc/$shared
  works clang-19 -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu f.c -L"$folder" -lsolo -o p
  count 1 'libsolo.so.1 among the NEEDED entries' sh -c 'readelf -d p | grep -c "NEEDED.*\[libsolo.so.1\]"'
  says 42 env LD_LIBRARY_PATH="$folder" ./p
  works cmp "$folder/libsolo.so.1" "$folder/libomptarget.so.19.1"
done
# --uninstall removes exactly the installed files
touch moved/bin/other
cp -r moved gone
works sh "$tree/../tools/install.sh" --uninstall "$work/gone"
count bin/other 'files left by --uninstall' sh -c '(cd gone && find . -type f -o -type l | sed "s|^./||")'
refused 'no solo in' sh "$tree/../tools/install.sh" --uninstall "$work/gone"
# a new version removes files of an older version
if [ -z "${SOLO_TREE:-}" ]; then
  uninstall=$(cd "$tree/.." && ninja -t commands uninstall)
  prefix=$(echo "$uninstall" | sed -n 's/.*--uninstall "*\([^" ]*\)"*$/\1/p')
  works env DESTDIR="$work/ninja" sh "$tree/../tools/install.sh" "$prefix"
  mkdir "ninja$prefix/lib/solo/old"
  echo old >"ninja$prefix/lib/solo/old/file"
  echo lib/solo/old/file >>"ninja$prefix/lib/solo/manifest"
  echo other >"ninja$prefix/bin/other"
  works env DESTDIR="$work/ninja" sh "$tree/../tools/install.sh" "$prefix"
  [ ! -e "ninja$prefix/lib/solo/old" ] || fail "a file of an older version remains"
  works "ninja$prefix/bin/solo-info" --version
  works sh -c "cd '$tree/..' && DESTDIR='$work/ninja' $uninstall"
  count "$prefix/bin/other" 'files left by ninja uninstall' sh -c '(cd ninja && find . -type f -o -type l | sed "s|^.||")'
fi
for archive in moved/lib/solo/*/lib*.a; do
  works readelf -SW "$archive" && count 0 "debug information in $archive" grep -c '\.debug_info' out
  grep -q '\.text' out || fail "readelf shows no sections of $archive"
done
works moved/bin/solo-cc -O2 f.c -o p
works clang-19 -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu f.c -o stock
size=$(($(stat -c %s p) - $(stat -c %s stock)))
echo "a dynamic program is $size bytes larger than stock's"
[ $size -le 600000 ] || fail "a dynamic program is $size bytes larger than stock's, limit 600000"
done_testing

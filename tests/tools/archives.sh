# Description: links archives with offload sections: unneeded members, members that only device code needs, thin
# archives, -l, --whole-archive and ld -r.
name=archives
. tests/tools/lib.sh
cat >used.c <<'END'
#pragma omp begin declare target
int deep(int);
#pragma omp end declare target
int used(int x) {
  int r = 0;
#pragma omp target map(from : r)
  r = deep(x) + 1;
  return r;
}
END
cat >deep.c <<'END'
#pragma omp begin declare target
int deep(int x) { return 10 * x; }
#pragma omp end declare target
END
# a link that includes this member fails: missing() is undefined
cat >unused.c <<'END'
#pragma omp begin declare target
int missing(int);
#pragma omp end declare target
int unused(int x) {
  int r = 0;
#pragma omp target map(from : r)
  r = missing(x);
  return r;
}
END
cat >plain.c <<'END'
int used(int);
int plain(int x) { return used(x); }
END
cat >main.c <<'END'
#include <stdio.h>
int plain(int);
int main(void) {
  printf("%d\n", plain(4));
  return 0;
}
END
for f in used deep unused plain; do works $cc --static -c $f.c; done
ar rcs libkernels.a unused.o used.o deep.o
ar rcsT libthin.a unused.o used.o deep.o
ar rcs libplain.a plain.o
ar rcs libfull.a used.o deep.o
works $cc --static main.c libplain.a libkernels.a -o p
says 41 ./p
count 1 'entries of used members' entries p omp_offloading_entries 32
works $cc --static main.c -L. -lplain -lkernels -o p
says 41 ./p
works $cc --static main.c libplain.a libthin.a -o p
says 41 ./p
works $cc --static main.c libplain.a -Wl,--whole-archive libfull.a -Wl,--no-whole-archive -o p
says 41 ./p
works ld -r used.o deep.o -o joined.o
works $cc --static main.c plain.o joined.o -o p
says 41 ./p
refused 'missing' $cc --static main.c plain.o used.o deep.o unused.o -o p
# a member that only device code needs: a declare variant of base()
cat >variant.c <<'END'
#include <stdio.h>
#pragma omp begin declare target
int on_device(int x);
#pragma omp declare variant(on_device) match(device = {kind(nohost)})
int base(int x) { return x; }
#pragma omp end declare target
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = base(5);
  printf("%d %d\n", base(5), r);
  return 0;
}
END
cat >on_device.c <<'END'
#pragma omp begin declare target
int on_device(int x) { return 100 * x; }
#pragma omp end declare target
END
works $cc --static -c on_device.c
ar rcs libdevice.a unused.o on_device.o
works $cc --static variant.c libdevice.a -o p
says '5 500' ./p
count 't' 'type of on_device(), a local symbol of device code' sh -c \
  "nm p | awk '\$3 == \"on_device\" { print \$2 }'"
printf '!<arch>\nshort.o/        0           0     0     644     999999    `\nxx' >broken.a
refused 'broken.a|corrupt archive|offset' $cc --static main.c broken.a -o p
done_testing

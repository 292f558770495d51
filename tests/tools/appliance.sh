# Description: checks the statements of docs/appliance.md on static programs: threads, constant memory, bytes per
# mapping, and the report of a region that does not fit under ulimit -v.
name=appliance
. tests/tools/lib.sh
cat >steady.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* a value of /proc/self/status: KiB or a count */
static long status(const char *what) {
  char line[256];
  long value = -1;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, what, strlen(what))) value = atol(line + strlen(what));
  if (file) fclose(file);
  return value;
}
static int sum;
static void rounds(int n) {
  static int a[1000];
  for (int i = 0; i < n; i++) {
#pragma omp target enter data map(to : a[0 : 1000])
#pragma omp target map(tofrom : sum) nowait depend(inout : sum)
    sum += a[i % 1000] + 1;
#pragma omp taskwait
#pragma omp target exit data map(delete : a[0 : 1000])
  }
}
int main(int count, char **argument) {
  enum { FEW = 10000, MANY = 100000 };
  int device = 0;
#pragma omp target map(from : device)
  device = !omp_is_initial_device();
  rounds(100);
  long before = status("VmHWM:");
  rounds(20000);
  printf("device %d, threads %ld, growth %ld KiB, ", device, status("Threads:"), status("VmHWM:") - before);
  char *data = malloc(MANY * 16L);
  before = status("VmRSS:");
  for (long i = 0, n = FEW; count > 1 && i < MANY; i++) {
    omp_target_associate_ptr(data + 16 * i, argument[0], 1, 0, 0);
    if (i + 1 != n) continue;
    long per_mapping = (status("VmRSS:") - before) * 1024 / n;
    if (per_mapping < 100 || per_mapping > (n == FEW ? 300 : 350)) printf("%ld bytes a mapping, ", per_mapping);
    n = MANY;
  }
#pragma omp parallel num_threads(3)
#pragma omp single
  printf("then %ld\n", status("Threads:"));
  return 0;
}
END
cat >ceiling.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int first = 0, second = 0, host = omp_get_initial_device();
  long size = 24L << 20; /* fits once */
  char *large = malloc(size);
  if (!large) return 2;
#pragma omp target map(tofrom : large[0 : size]) map(from : first)
  first = 1 + omp_is_initial_device();
#pragma omp target map(from : second)
  second = 1 + omp_is_initial_device();
  printf("large %s, small %s\n", first == 2 ? "host" : "device", second == 2 ? "host" : "device");
  return host < 0;
}
END
for libc in musl glibc; do
  works $cc --static --$libc -O2 steady.c -o steady
  says 'device 1, threads 1, growth 0 KiB, then 3' env KMP_BLOCKTIME=0 ./steady mappings
done
works $cc --static -g -O2 ceiling.c -o ceiling
below() { # below KIB COMMAND...: output in out
  limit=$1
  shift
  (ulimit -v "$limit" && "$@") >out 2>&1
}
checks=$((checks + 4))
below 60000 ./ceiling && grep -q '^large device, small device$' out || fail "with enough memory: $(cat out)"
below 34000 ./ceiling && grep -q '^large host, small device$' out || fail "without enough device memory: $(cat out)"
grep -q 'out of device memory.*ceiling.c' out && grep -q 'runs on the host instead' out || fail "wrong message: $(cat out)"
below 34000 env OMP_TARGET_OFFLOAD=mandatory ./ceiling && fail "OMP_TARGET_OFFLOAD=mandatory: the region ran on the host"
grep -q 'out of device memory' out || fail "OMP_TARGET_OFFLOAD=mandatory: wrong message: $(cat out)"
# address space of a program with one region
printf '#include <omp.h>\nint main(void) { int r = 1;\n#pragma omp target map(from : r)\nr = 0;\nreturn r; }\n' >one.c
works $cc --static -O2 one.c -o one
checks=$((checks + 1))
(export OMP_TARGET_OFFLOAD=mandatory && below 400 ./one) || fail "one region in 400 KiB of address space: $(cat out)"
done_testing

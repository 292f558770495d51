# Description: checks messages for common mistakes: LIBOMPTARGET_DEBUG, a wrong OMP_TARGET_OFFLOAD, GCC's objects, a
# second OpenMP runtime, missing declare target or -fopenmp.
name=habits_messages
. tests/tools/lib.sh
cat >f.c <<'END'
#include <stdio.h>
int helper(int);
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = 42;
#pragma omp parallel num_threads(2)
#pragma omp single
  printf("%d\n", r);
  return 0;
}
END
once() { # once TEXT COMMAND...: must print TEXT in one line
  text=$1
  shift
  works "$@" && count 1 "lines with '$text' ($*)" grep -c -e "$text" out
}
for mode in --static ''; do
  works $cc $mode f.c -o p
  once 'LIBOMPTARGET_DEBUG is read as SOLO_DEBUG=1' env LIBOMPTARGET_DEBUG=1 ./p
  grep -q 'solo: device 0' out || fail "LIBOMPTARGET_DEBUG=1 prints nothing"
  says 42 env LIBOMPTARGET_DEBUG=0 ./p
  once 'OMP_TARGET_OFFLOAD' env OMP_TARGET_OFFLOAD=bogus ./p
done
echo 'void GOMP_of_gcc_99(void); int main(void) { GOMP_of_gcc_99(); }' >unknown.c
gcc -c unknown.c -o unknown.o
echo 'void GOMP_interop(void); int main(void) { GOMP_interop(); }' >later.c
gcc -c later.c -o later.o
for mode in --static '--static --glibc' ''; do
  refused "note: unknown.o: 'GOMP_of_gcc_99' is a function of GCC's libgomp|not in GCC 12 to 15" $cc $mode unknown.o -o p
  refused "note: later.o: 'GOMP_interop'|introduced in GCC 15" $cc $mode later.o -o p
done
sed 's/r = 42/r = helper(41)/' f.c >uses.c
echo 'int helper(int x) { return x + 1; }' >host_only.c
refused "'helper'|declare target|solo-cc" $cc uses.c host_only.c -o p
refused "'helper'|declare target" $cc --static uses.c host_only.c -o p
# a missing library: the message must not mention declare target
sed 's/r = 42/{ extern double cbrtish(double); r = (int)cbrtish(1); }/' f.c >library.c
refused "'cbrtish'|name the object or the library" $cc --static library.c -o p
grep -q 'declare target' out && fail "the message for a missing library mentions declare target"
# two runtimes: an error of the link or at the start
refused 'two OpenMP runtimes|leave -lsolo out' $cc f.c "-L$tree/lib/glibc" -lsolo -o p
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu f.c "-L$tree/lib/glibc" -lsolo \
  -lsolo_atomic -lpthread -o two
refused 'two OpenMP runtimes|libomp.so|solo::offload|pkg-config solo-static' ./two
# a runtime from dlopen: reported by the next thread and at exit
cat >opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **v) {
  int r = 0;
  void *plugin = count > 2 ? dlopen(v[2], RTLD_NOW) : NULL;
  if (v[1][0] == 't')
#pragma omp parallel num_threads(2) reduction(+ : r)
    r++;
  int device = 0;
#pragma omp target map(tofrom : device)
  device++;
  int (*threads)(void) = plugin ? (int (*)(void))dlsym(plugin, "threads") : NULL;
  fprintf(stderr, "%d %d\n", threads ? threads() : 0, r);
  return device != 1 || plugin && !threads;
}
END
cat >plugin.c <<'END'
int threads(void) {
  int r = 0;
#pragma omp parallel num_threads(3) reduction(+ : r)
  r++;
  return r;
}
END
works clang-19 -fopenmp -shared -fPIC plugin.c -o plugin.so
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu opens.c "-L$tree/lib/glibc" \
  -Wl,--as-needed -lsolo -lsolo_atomic -lpthread -o opens
for when in threads end; do
  once 'dlopen loaded .*libomp.so' ./opens $when ./plugin.so
done
grep -q '^3 0$' out || fail "the plugin has not run 3 threads"
works gcc -fopenmp -shared -fPIC plugin.c -o gcc_plugin.so
once 'dlopen loaded .*libgomp.so' ./opens end ./gcc_plugin.so
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu f.c "$(gcc -print-file-name=libgomp.so)" \
  ./gcc_plugin.so "-L$tree/lib/glibc" -Wl,--as-needed -lsolo -lsolo_atomic -lpthread -o with_gcc
refused 'two OpenMP runtimes|libgomp.so|solo::offload|pkg-config solo-static' ./with_gcc
grep -q 'libomp\.so' out && fail "the message for libgomp names libomp"
once '^0 2$' ./opens threads
grep -q dlopen out && fail "reports a libomp that is not loaded"
libomp=$(clang-19 -print-file-name=libomp.so)
works $cc --static --glibc f.c "$libomp" -o p && says 42 ./p
echo 'void __kmpc_fork_call(void) {}' >other.c
works gcc -c other.c
refused 'other.o|second OpenMP runtime|leave it out' $cc --static f.c other.o -o p
# linked without device code
works clang-19 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -c f.c -o f.o
works clang-19 -fopenmp f.o "-L$tree/lib/glibc" -lomptarget -o p
once 'no image is registered' ./p
done_testing

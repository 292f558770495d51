#!/bin/sh
# Description: checks that objects use only libomp if they are linked with libomp, and only solo's threads in a static link.
set -u
cd "$(dirname "$0")/../.."
cc=clang-19
command -v $cc >/dev/null || { echo "skipped: no $cc"; exit 77; }
libomp=$($cc -print-file-name=libomp.so)
case $libomp in */*) ;; *) echo "skipped: $cc has no libomp.so"; exit 77 ;; esac
[ -f build/lib/glibc/libomptarget.a ] || { echo "skipped: no build for glibc"; exit 77; }
out=build/tests/kmpc/interposition
mkdir -p $out
status=0
fail() { echo "failed: $*"; status=1; }

# Names of the thread runtime: names of libomp that libomptarget does not define.
nm -D --defined-only "$libomp" | awk '{sub("@.*", "", $3); print $3}' |
  grep -E '^(__kmpc|omp|kmp|ompx|GOMP)_' | sort -u >$out/libomp.names
cut -d' ' -f1 tests/dropin/stock.names | sort -u >$out/device.names
comm -23 $out/libomp.names $out/device.names >$out/threads.names
threads_in() { sort -u | comm -12 - $out/threads.names; }

for program in constructs reduction nested sections task_depend task_group; do
  source=tests/kmpc/$program.c
  object=$out/$program.o
  flags=$(sed -n 's/^.*Flags: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
  env=$(sed -n 's/^.*Env: *\(.*[^ */]\).*$/\1/p' "$source" | head -n 1)
  # shellcheck disable=SC2086 # several words
  $cc -O2 -fopenmp -isystem build/include -I. $flags -c "$source" -o "$object" ||
    { fail "$source: does not compile"; continue; }
  nm -u "$object" | awk '{print $2}' | threads_in >$out/wanted
  [ "$(wc -l <$out/wanted)" -ge 5 ] || fail "$program: uses fewer than 5 symbols of the thread runtime"

  # Dynamic, with solo's archive as -lomptarget: all symbols from libomp.so.
  $cc -fopenmp "$object" -Lbuild/lib/glibc -lomptarget -lm -latomic \
    -Wl,-rpath,"${libomp%/*}" -o $out/dynamic || { fail "$program: dynamic link failed"; continue; }
  nm --defined-only $out/dynamic | awk '{print $3}' | threads_in >$out/ours
  [ -s $out/ours ] && fail "$program: defined by solo although linked with libomp: $(tr '\n' ' ' <$out/ours)"
  LD_DEBUG=bindings LD_BIND_NOW=1 OMP_NUM_THREADS=2 env $env $out/dynamic 2>$out/bindings >/dev/null ||
    fail "$program: with libomp, exit status $?"
  # binding file PROGRAM [0] to LIBRARY [0]: normal symbol `NAME' [VERSION]
  awk '/binding file/ && /normal symbol/ {
         to = $0; sub(".* to ", "", to); sub(" .*", "", to)
         name = $0; sub(".*symbol `", "", name); sub("\047.*", "", name)
         print name, to }' $out/bindings | sort -u >$out/bound
  grep '/libomp\.so' $out/bound | cut -d' ' -f1 | threads_in >$out/from_libomp
  grep -v '/libomp\.so' $out/bound | cut -d' ' -f1 | threads_in >$out/from_others
  [ -s $out/from_others ] && fail "$program: bound to another library than libomp: $(tr '\n' ' ' <$out/from_others)"
  comm -23 $out/wanted $out/from_libomp >$out/missing
  [ -s $out/missing ] && fail "$program: not bound to libomp: $(tr '\n' ' ' <$out/missing)"

  # Static: all symbols from solo's archive.
  gcc -static "$object" build/lib/glibc/libsolo.a build/lib/glibc/libsolo_atomic.a -lm -Wl,-Map=$out/map -o $out/static ||
    { fail "$program: static link failed"; continue; }
  nm --defined-only $out/static | awk '{print $3}' | threads_in >$out/ours
  comm -23 $out/wanted $out/ours >$out/missing
  [ -s $out/missing ] && fail "$program: static, not defined by solo: $(tr '\n' ' ' <$out/missing)"
  grep -q 'libsolo\.a(.*\.o)' $out/map || fail "$program: static, no member of libsolo.a linked"
  grep -q 'libomp' $out/map && fail "$program: static, linked with libomp"
  OMP_NUM_THREADS=2 env $env $out/static >/dev/null || fail "$program: static, exit status $?"
done
exit $status

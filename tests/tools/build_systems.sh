# Description: checks solo-cc in build systems: queries, standard input, preprocessed source, response files, ccache,
# distcc, link-time optimisation.   build_systems.sh all: all kinds of link-time optimisation
all=${1:-no}
name=habits-$all
. tests/tools/lib.sh
cat >f.c <<'END'
#include <stdio.h>
#pragma omp begin declare target
int twice(int);
#pragma omp end declare target
int hosted(int);
int main(void) {
  int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < 10; i++) r += twice(i);
  printf("%d %d\n", r, hosted(3));
  return 0;
}
END
cat >g.c <<'END'
#pragma omp begin declare target
int twice(int x) { return 2 * x; }
#pragma omp end declare target
int hosted(int x) { return x + 1; }
END
asks() { # PART COMMAND...: must succeed, and its output must contain PART
  part=$1
  shift
  works "$@" && { grep -q -e "$part" out || fail "$*: no '$part' in the output"; }
}
export OMP_TARGET_OFFLOAD=mandatory
for mode in --static ''; do
  asks '^GNU ld' $cc $mode -Wl,--version
  asks LLD $cc $mode -fuse-ld=lld -Wl,--version
  asks 'clang version' $cc $mode -v
  asks 'clang version' $cc $mode --version
  asks cc1 $cc $mode -'###' f.c
  asks libraries $cc $mode -print-search-dirs
  asks libgcc.a $cc $mode -print-file-name=libgcc.a
  asks 'linux' $cc $mode -dumpmachine
  asks '^int x' sh -c "echo 'int x;' | $cc $mode -E -"
  asks _OPENMP sh -c "$cc $mode -dM -E - </dev/null"
  works sh -c "cat f.c | $cc $mode -x c - g.c -o p" && says '90 4' ./p
  works sh -c "$cc $mode -c -x c - <f.c" && works $cc $mode -c g.c && works $cc $mode ./-.o g.o -o p &&
    says '90 4' ./p
  works $cc $mode -E f.c -o f.i
  works $cc $mode -Werror f.i g.c -o p && says '90 4' ./p
  works $cc $mode -Werror -c f.i -o f.o && works $cc $mode -Werror -c f.i g.c && works $cc $mode f.o g.o -o p &&
    says '90 4' ./p
  works $cc $mode -c -x cpp-output f.i -o f.o && works $cc $mode f.o g.o -o p && says '90 4' ./p
  echo "$mode -O1 f.c g.c -o 'p q'" >args
  works $cc @args && says '90 4' './p q'
  works $cc $mode -save-temps -O1 f.c g.c -o p && says '90 4' ./p
  works $cc $mode -MJ one.json -MD -c f.c -o f.o
  { echo '['; sed '$s/,$//' one.json; echo ']'; } >compile_commands.json
  works python3 -c 'import json, sys; e = json.load(open("compile_commands.json")); \
    sys.exit(not any(x["file"] == "f.c" and "-fopenmp" in x["arguments"] for x in e))'
  grep -q '^f.o:.*f\.c' f.d || fail "-MD wrote no rule for f.o"
  rm -f f.d
  works $cc $mode -MMD -MF deps -MT target -c f.c -o f.o && grep -q '^target:.*f\.c' deps || fail "-MMD -MF -MT"
  works $cc $mode -Werror -pie f.c g.c -o p && says '90 4' ./p
  count 1 "pie ($mode)" sh -c 'file p | grep -c "pie executable"'
done
works $cc --static -pie f.c g.c -o p && is_static p
# longer than the limit of a command line
{ echo '--static f.c g.c -o p'; for i in 0 1 2 3 4 5 6 7 8 9; do
  seq -f "\"-DSOME_LONG_NAME_OF_A_MACRO_${i}_%.0f=\\\"a b\\\"\"" 6000
done; } >long
[ "$(stat -c %s long)" -gt 2200000 ] || fail "the response file is too short"
works $cc @long && says '90 4' ./p
works $cc --coverage f.c g.c -o p && works ./p && says '90 4' ./p
if command -v ccache >/dev/null; then
  export CCACHE_DIR=$work/cache
  for i in 1 2; do works ccache $cc --static -c f.c -o f$i.o; done
  count 1 'hits of ccache' sh -c "ccache --print-stats | sed -n 's/^direct_cache_hit[[:space:]]*//p'"
  works $cc --static f2.o g.c -o p && says '90 4' ./p
else
  echo "not tested: no ccache"
fi
if command -v distcc >/dev/null && command -v distccd >/dev/null; then
  mkdir distcc
  chmod 777 distcc
  port=$((30000 + $$ % 20000))
  echo "$cc" >distcc/commands
  TMPDIR=$work/distcc DISTCC_CMDLIST=$work/distcc/commands distccd --no-detach --daemon --listen 127.0.0.1 \
    --port $port --allow 127.0.0.1 --jobs 2 --enable-tcp-insecure --log-stderr --log-level info 2>distcc/log &
  server=$!
  tries=0
  until grep -q 'up to .* active jobs' distcc/log || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
  for mode in --static ''; do
    for unit in f g; do
      works env DISTCC_DIR="$work/distcc" DISTCC_FALLBACK=0 "DISTCC_HOSTS=127.0.0.1:$port" \
        distcc $cc $mode -Werror -O1 -c $unit.c -o d$unit.o
    done
    works $cc $mode df.o dg.o -o p && says '90 4' ./p
  done
  kill $server
  count 4 'compilations by distccd' sh -c "grep -c 'COMPILE_OK' distcc/log"
else
  echo "not tested: no distcc"
fi
kinds='-flto|--static
-foffload-lto|--static --glibc --clang=clang-22
-flto=thin -foffload-lto|--static'
[ $all = no ] || kinds="$kinds
-flto|--static --glibc --clang=clang-22
-foffload-lto|--static
-flto=thin -foffload-lto|--static --glibc --clang=clang-22"
echo "$kinds" >kinds
while IFS='|' read -r lto mode <&3; do
  works $cc $mode $lto -O2 -c f.c g.c
  works $cc $mode $lto -O2 f.o g.o -o p && says '90 4' ./p
  rm -f l.a
  ar rcs l.a g.o
  works $cc $mode $lto f.o l.a -o p && says '90 4' ./p
done 3<kinds
works $cc --static -flto -foffload-lto -O2 f.c g.c -o p && says '90 4' ./p
count 0 'calls that link-time optimisation did not inline' sh -c "objdump -d p | grep -cE 'call.*<(twice|hosted)>'"
# one source twice: kernels with equal names
cat >t.c <<'END'
#pragma omp begin declare target
int twice(int);
#pragma omp end declare target
int NAME(void) {
  int r = 0;
#pragma omp target map(tofrom : r)
  for (int i = 0; i < 10; i++) r += DO;
  return r;
}
END
sed -i 's/NAME/one/' t.c && works $cc --static -foffload-lto -O2 -D'DO=twice(i)' -c t.c -o t1.o
works $cc --static -foffload-lto -O2 -Done=two -D'DO=i' -c t.c -o t2.o
cat >m.c <<'END'
#include <stdio.h>
int one(void), two(void);
int main(void) { return printf("%d %d\n", one(), two()) < 0; }
END
works $cc --static -foffload-lto -O2 t1.o t2.o g.c m.c -o p && says '90 45' ./p
done_testing

# Description: compares the sizes of stripped programs, for x86-64 and aarch64, with the table in docs/appliance.md
# (tolerance 4 KiB).
#   sh tests/tools/sizes.sh --update    writes the table
name=sizes
update=${1:-}
. tests/tools/lib.sh
page=$tree/../docs/appliance.md
host=aarch64-linux-gnu
hosts=x86_64
[ -f "$tree/lib/$host/musl/libsolo.a" ] && hosts="x86_64 $host"
cat >part.c <<'END'
#ifdef TOOL
#include <omp-tools.h>
static int start(ompt_function_lookup_t lookup, int device, ompt_data_t *data) { return lookup && !device && !data; }
static void end(ompt_data_t *data) { (void)data; }
static ompt_start_tool_result_t tool = {start, end, {0}};
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) { return version && runtime ? &tool : 0; }
#endif
int main(int count, char **argument) {
  int wrong = 0;
#ifdef REGION
#pragma omp target map(tofrom : wrong)
  wrong += count - 1;
#endif
#ifdef TEAM
#pragma omp parallel for reduction(+ : wrong)
  for (int i = 0; i < count; i++) wrong += !argument[i];
#endif
#ifdef TASKS
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : wrong)
  for (int i = 0; i < count; i++) wrong += !argument[i];
#endif
  (void)count, (void)argument;
  return wrong;
}
END
# weigh HOST OPTION...: prints the size of the stripped program in KiB
weigh() {
  for_host= strip=strip
  [ "$1" = x86_64 ] || { for_host=--host=$1 strip=$1-strip; }
  shift
  rm -f weighed
  case $1 in
  server) # solo-cc has no option for this library
    shift
    [ -z "$for_host" ] || return 1
    $cc --static -O2 "$@" -c -o weighed.o && musl-gcc -static weighed.o "$tree/lib/musl-remote/libsolo.a" -lm -o weighed
    ;;
  *) $cc $for_host --static -O2 "$@" -o weighed -lm ;;
  esac >messages 2>&1 || { cat messages >&2; return 1; }
  $strip weighed
  echo $((($(wc -c <weighed) + 512) / 1024))
}
zaxpy=$tree/../examples/zaxpy.c
rows() { # PROGRAM | OPTION | ARGUMENTS OF weigh
  cat <<END
an empty \`main\`, for comparison|musl|part.c
\`parallel for\` with a reduction, no region|only what the program uses|-DTEAM part.c
tasks, no region|the same|-DTASKS part.c
one region|the same|-DREGION part.c
a region, \`parallel for\` and tasks|the same|-DREGION -DTEAM -DTASKS part.c
\`examples/zaxpy.c\`: a region, \`printf\`, \`double complex\`|the same|$zaxpy
zaxpy.c + LIBOMPTARGET_PROFILE|with \`--profile\`|--profile $zaxpy
one region + an OMPT tool|if the program defines \`ompt_start_tool\`|-DREGION -DTOOL part.c
zaxpy.c + readers and loaders of images from files or memory|with \`--runtime-images\`|--runtime-images $zaxpy
zaxpy.c + GPU devices of a device server|with \`lib/musl-remote/libsolo.a\` in place of solo-cc's library|server $zaxpy
zaxpy.c, position independent|with \`-static-pie\`|-static-pie $zaxpy
zaxpy.c with glibc in place of musl|with \`--glibc\`|--glibc $zaxpy
END
}
table() {
  echo '| program, stripped | included | x86-64, KiB | aarch64, KiB |'
  echo '|---|---|---|---|'
  rows | while IFS='|' read -r what how arguments; do
    line="| $what | $how"
    for one in x86_64 $host; do
      size=-
      case " $hosts " in *" $one "*) size=$(weigh $one $arguments) || size=- ;; esac
      line="$line | $size"
    done
    echo "$line |"
  done
}
table >table
if [ "$update" = --update ]; then
  [ "$hosts" != x86_64 ] || { echo "the table needs the aarch64 build (configure.sh --bootstrap)"; exit 1; }
  sed -i -e '/^| program, stripped/,/^$/{/^$/!d}' "$page" && sed -i '/^<!-- tests.tools.sizes.sh/r table' "$page"
  exit
fi
sed -n '/^| program, stripped/,/^$/{/^$/!p}' "$page" >written
count "$(wc -l <table)" 'rows of the table in docs/appliance.md' sh -c 'wc -l <written'
paste -d '\n' written table | while read -r then && read -r now; do
  echo "$then" >line.then
  echo "$now" >line.now
  for field in 4 5; do
    a=$(cut -d '|' -f $field line.then | tr -d ' ') b=$(cut -d '|' -f $field line.now | tr -d ' ')
    case $a$b in
    *[!0-9]*) [ "$a" = "$b" ] || [ "$b" = - ] || echo "$now: the page has $a" ;;
    *) [ $((a - b)) -le 4 ] && [ $((b - a)) -le 4 ] || echo "$now: the page has $a KiB" ;;
    esac
  done
  [ "$(cut -d '|' -f 2,3 line.then)" = "$(cut -d '|' -f 2,3 line.now)" ] || echo "the page has other words: $now"
done >wrong
count 0 'rows that differ (sh tests/tools/sizes.sh --update)' sh -c 'cat wrong >&2; wc -l <wrong'
done_testing

# Description: checks errors for unwritable outputs and pipes, retries of fork, and that an interrupted link leaves no
# temporary files.
name=files
. tests/tools/lib.sh
pack=$tree/bin/solo-pack
cat >f.c <<'END'
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = 1;
  return r - 1;
}
END
full='No space left on device'
# not /dev/full: a linker may remove its output
if mknod full c 1 7 2>/dev/null; then
  refused "cannot write full: $full" "$cc" --static f.c -o full
  grep -q 'declare target' out && fail "the message for a full device mentions declare target"
  rm -f full
  mknod full c 1 7
  refused "cannot write full: $full" "$pack" create --format=offload -o full "$tree/images/gfx900.co"
  rm -f full
fi
for command in "$pack list $tree/images/omp-19" "$pack --help" "$cc --help" "$link --help" \
  "$tree/bin/solo-info --version"; do
  [ -x "${command%% *}" ] || continue
  checks=$((checks + 1))
  $command >/dev/full 2>err && fail "$command >/dev/full succeeds"
  grep -q "standard output: $full" err || fail "$command >/dev/full: no reason in the message: $(cat err)"
done

mkfifo pipe.o
: >@pipe
for command in "$cc --static f.c pipe.o -o f" "$link pipe.o -o f" "$pack list pipe.o" \
  "$pack create --format=offload -o x file=pipe.o,triple=x" "$tree/bin/solo-info pipe.o"; do
  [ -x "${command%% *}" ] || continue
  refused 'pipe.o|not a regular file' timeout 20 $command
done

# fork fails BUSY times
cat >busy.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
pid_t fork(void) {
  static int left = -1;
  if (left < 0) left = atoi(getenv("BUSY"));
  if (left > 0) {
    left--;
    errno = EAGAIN;
    return -1;
  }
  pid_t (*real)(void) = (pid_t (*)(void))dlsym(RTLD_NEXT, "fork");
  return real();
}
END
works gcc -shared -fPIC busy.c -o busy.so -ldl
works env BUSY=3 LD_PRELOAD="$work/busy.so" "$pack" wrap -o w.o "$tree/images/gfx900.co"
works nm w.o
refused 'cannot start|temporarily unavailable' \
  env BUSY=1000 LD_PRELOAD="$work/busy.so" "$pack" wrap -o w2.o "$tree/images/gfx900.co"

# a linker that kills its parent when temporary files exist
mkdir interrupting
cat >interrupting/ld <<END
#!/bin/sh
ls "\$TMPDIR"/solo-*/* >"$work/seen" 2>/dev/null || exec $(command -v ld) "\$@"
kill -"\$INTERRUPTION" \$PPID
while kill -0 \$PPID 2>/dev/null; do sleep 0.1; done
exit 1
END
chmod +x interrupting/ld
interrupted() { # interrupted SIGNAL COMMAND...
  env PATH="$work/interrupting:$PATH" INTERRUPTION="$1" "$cc" --static f.c -o f
}
for signal in INT TERM HUP PIPE; do
  rm -f seen
  refused '' interrupted $signal
  [ -s seen ] || fail "$signal: no temporary files during the link"
  [ -z "$(find "$temporary" -name 'solo-*')" ] || fail "$signal: temporary files remain"
done
done_testing

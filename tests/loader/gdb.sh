#!/bin/sh
# Description: gdb's backtrace shows an image's functions (and lines, if it has debug data). After an unload,
# gdb finds none of its functions. Arguments: program, folder of images.
set -u
program=$1 folder=$2
command -v gdb >/dev/null || { echo "skipped: no gdb"; exit 77; }
fail=0
expect() { # expect TEXT...: each in order, in $out
  for text; do
    case $out in
    *"$text"*) out=${out#*"$text"} ;;
    *) echo "missing in gdb's output: $text"; fail=1 ;;
    esac
  done
}
line_of() { grep -n "$1" tests/loader/images/backtrace.c | cut -d: -f1; }
look() { # look IMAGE
  gdb -q -nx -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on' \
    -ex 'break thing_call' -ex run -ex bt -ex 'break _exit' -ex continue \
    -ex 'info symbol inner_function' --args "$program" "$folder" "$1" 2>&1
}
all=$(look backtrace)
case $all in *"ptrace: Operation not permitted"*) echo "skipped: ptrace is not permitted"; exit 77 ;; esac
out=$all
expect 'thing_call' 'inner_function (depth=' "backtrace.c:$(line_of thing_call)" 'inner_function (depth=' \
  "backtrace.c:$(line_of depth.-.1)" 'outer_kernel () at' "backtrace.c:$(line_of inner_function.2)" 'main ('
expect 'No symbol "inner_function" in current context'
case $all in *warning:*) echo "gdb prints a warning"; fail=1 ;; esac
all2=$(look backtrace_plain)
out=$all2
expect 'thing_call' 'inner_function ()' 'inner_function ()' 'outer_kernel ()' 'main ('
[ $fail = 0 ] || { echo "$all"; echo "$all2"; }
exit $fail

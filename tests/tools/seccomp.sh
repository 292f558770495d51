# Description: runs static programs under the filter of docs/seccomp.json. Another system call must end the process.
name=seccomp
. tests/tools/lib.sh
{
  printf '#define _GNU_SOURCE\n#include <linux/filter.h>\n#include <linux/seccomp.h>\n#include <stddef.h>\n'
  printf '#include <stdio.h>\n#include <sys/prctl.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n'
  printf 'static const int allowed[] = {\n'
  sed -n '/"names"/,/]/p' "$tree/../docs/seccomp.json" | grep -o '"[a-z_0-9]*"' | tr -d '"' | grep -vx names |
    while read -r call; do printf '#ifdef SYS_%s\nSYS_%s,\n#endif\n' "$call" "$call"; done
  cat <<'END'
};
int main(int count, char **argument) {
  enum { N = sizeof allowed / sizeof *allowed };
  struct sock_filter code[N + 3];
  code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < N; i++)
    code[1 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[i], N - i, 0);
  code[N + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  code[N + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {N + 3, code};
  if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
    perror("seccomp");
    return 77;
  }
  execv(argument[1], argument + 1);
  perror(argument[1]);
  return 1;
}
END
} >"$work/jail.c"
gcc -O1 -o "$work/jail" "$work/jail.c" || fail "cannot compile the launcher"
"$work/jail" /bin/true >/dev/null 2>&1
[ $? -eq 77 ] && { echo "skipped: seccomp filters are not available"; exit 77; }
run() { # run SOURCE LIBC
  program=$work/$(basename "$1" .c).$2
  $cc --static "--$2" -O2 -g "$1" -o "$program" -lm || fail "cannot compile $1"
  checks=$((checks + 1))
  OMP_NUM_THREADS=4 OMP_PROC_BIND=close timeout 50 "$work/jail" "$program" >"$work/out" 2>&1 ||
    fail "$1 ($2) under docs/seccomp.json: status $?"
}
for libc in musl glibc; do
  for source in examples/zaxpy.c examples/jacobi.c tests/programs/tasks.c tests/programs/threads.c \
    tests/programs/nowait.c tests/programs/map_struct.c; do
    run "$tree/../$source" $libc
  done
done
# socket() must end the program with SIGSYS
printf '#include <sys/socket.h>\nint main(void) { return socket(AF_UNIX, SOCK_STREAM, 0) < 0; }\n' >"$work/s.c"
gcc -static -o "$work/s" "$work/s.c"
checks=$((checks + 1))
"$work/jail" "$work/s" >/dev/null 2>&1
[ $? -eq 159 ] || fail "the filter does not reject socket()"
done_testing

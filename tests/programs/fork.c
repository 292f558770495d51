/* Description: forks after the first regions. The parent and the child then use parallel regions,
 * target regions and mappings that existed before the fork. */
#include "check.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 4096 };
static int a[N], mapped[N];

static long sum(int k) {
  long total = 0;
#pragma omp target teams distribute parallel for map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < N; i++) {
    a[i] += k;
    total += a[i];
  }
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < N; i++) total += a[i];
  return total;
}

static void use_mapped(int expected) {
#pragma omp target map(mapped)
  for (int i = 0; i < N; i++) mapped[i]++;
#pragma omp target update from(mapped)
  CHECK_INT(mapped[7], expected);
}

int main(void) {
#pragma omp target enter data map(to : mapped)
  use_mapped(1);
  CHECK_INT(sum(1), 2L * N);
  for (int round = 0; round < 5; round++) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
      alarm(20);
      CHECK_INT(sum(2), 2L * N * (round + 3));
      use_mapped(round + 2);
      fflush(NULL);
      _exit(result());
    }
    int status = -1;
    waitpid(pid, &status, 0);
    CHECK_INT(status, 0);
    CHECK_INT(sum(1), 2L * N * (round + 2));
    use_mapped(round + 2);
  }
#pragma omp target exit data map(delete : mapped)
  return result();
}

/* Description: a program with connections to a device server forks. The regions of the child and,
 * later, of the parent run on a device. */
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 10000 };

/* Returns whether the result is wrong. */
static int use_device(int k) {
  static int a[N];
  int is_host = 1;
  long sum = 0;
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target map(tofrom : a) map(from : is_host)
  {
    is_host = omp_is_initial_device();
    for (int i = 0; i < N; i++) a[i] += k;
  }
  for (int i = 0; i < N; i++) sum += a[i];
  if (is_host || sum != (long)N * (N - 1) / 2 + (long)N * k)
    return printf("failed: the sum is %ld, %s\n", sum, is_host ? "on the host" : "on a device"), 1;
  return 0;
}

int main(void) {
  int devices = omp_get_num_devices(), status = -1;
  if (devices < 1) return puts("failed: no device"), 1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    status = use_device(1);
    fflush(NULL);
    _exit(status);
  }
  waitpid(child, &status, 0);
  if (status) return printf("failed: the child's wait status is 0x%x\n", (unsigned)status), 1;
  if (use_device(2)) return 1;
  puts("parent and child use the device");
  return 0;
}

/* Description: checks that omp_pause_resource ends workers, preserves results, and is rejected
 * inside regions and for nonexistent devices. Checks omp_control_tool without a tool. */
#include "tests/unit/test.h"
#include <dirent.h>
#include <omp.h>

#pragma weak omp_get_num_devices /* absent in a program without target regions */

static int threads_now(void) {
  int count = 0;
  DIR *dir = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(dir));) count += e->d_name[0] != '.';
  closedir(dir);
  return count;
}

static long sum_to(int n) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum)
  for (int i = 0; i <= n; i++) sum += i;
  return sum;
}

static int own;
#pragma omp threadprivate(own)

/* Threadprivate data survives a soft pause. */
static void threadprivate_data(void) {
  int wrong = 0, device = omp_get_num_devices ? 0 : omp_initial_device;
#pragma omp parallel num_threads(4)
  own = 100 + omp_get_thread_num();
  for (int round = 0; round < 3; round++) {
    CHECK_INT(omp_pause_resource(omp_pause_soft, round ? omp_initial_device : device), 0);
#pragma omp parallel num_threads(4) reduction(+ : wrong)
    wrong += own != 100 + omp_get_thread_num();
  }
  CHECK_INT(wrong, 0);
}

int main(void) {
  threadprivate_data();
  int host = omp_initial_device, refused = 0;
  CHECK_INT(sum_to(1000), 500500);
  int with_workers = threads_now();
  for (int round = 0; round < 20; round++) {
    omp_pause_resource_t kind = round % 2   ? omp_pause_soft
                                : round % 4 ? omp_pause_stop_tool
                                            : omp_pause_hard;
    CHECK_INT(round % 3 ? omp_pause_resource(kind, host) : omp_pause_resource_all(kind), 0);
    CHECK_INT(sum_to(1000), 500500);
    CHECK(threads_now() <= with_workers);
    int tasks = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
      {
#pragma omp atomic
        tasks++;
      }
    }
    CHECK_INT(tasks, 20);
  }
#pragma omp parallel num_threads(2) reduction(+ : refused)
  refused += omp_in_parallel() == (omp_pause_resource(omp_pause_soft, host) != 0);
  CHECK(refused >= 1);
  CHECK(omp_pause_resource((omp_pause_resource_t)77, host) != 0);
  CHECK(omp_pause_resource(omp_pause_soft, 12345) != 0);
  CHECK_INT(omp_control_tool(omp_control_tool_start, 0, NULL), omp_control_tool_notool);
  return TEST_RESULT();
}

/* Device routines of OpenMP 6.0. Prints values that depend on the device and returns the number of
 * errors. Argument "teams": also checks teams and thread limits. */
#include "../../unit/test.h"
#include <omp.h>

enum { N = 100 };

static void check_memory(int device) {
  omp_memspace_handle_t space = omp_get_device_memspace(device, omp_default_mem_space);
  omp_allocator_handle_t allocator = omp_get_device_allocator(device, omp_default_mem_space);
  CHECK(space != omp_null_mem_space && allocator != omp_null_allocator);
  CHECK(omp_get_memspace_num_resources(space) >= 1 && omp_get_memspace_pagesize(space) >= 512);
  int *data = omp_alloc(N * sizeof *data, allocator), back[N];
#pragma omp target teams distribute parallel for is_device_ptr(data) device(device)
  for (int i = 0; i < N; i++) data[i] = 3 * i;
  CHECK(omp_target_memcpy(back, data, sizeof back, 0, 0, omp_get_initial_device(), device) == 0);
  for (int i = 0; i < N; i++) CHECK(back[i] == 3 * i);
  omp_free(data, allocator);

  allocator = omp_get_devices_and_host_allocator(1, &device, omp_default_mem_space);
  CHECK(allocator != omp_null_allocator);
  data = omp_alloc(N * sizeof *data, allocator);
  for (int i = 0; i < N; i++) data[i] = i;
#pragma omp target teams distribute parallel for is_device_ptr(data) device(device)
  for (int i = 0; i < N; i++) data[i]++;
  for (int i = 0; i < N; i++) CHECK(data[i] == i + 1);
  omp_free(data, allocator);
}

static void check_teams(int device) {
  int teams = 0, said = 0, threads = 0, host = omp_get_max_teams();
  omp_set_device_num_teams(3, device);
  CHECK(omp_get_device_num_teams(device) == 3 && omp_get_max_teams() == host);
#pragma omp target teams map(from : teams) device(device)
  if (omp_get_team_num() == 0) teams = omp_get_num_teams();
  CHECK(teams == 3);
#pragma omp target teams map(from : said) num_teams(2) device(device)
  if (omp_get_team_num() == 0) said = omp_get_num_teams();
  CHECK(said == 2);
  omp_set_device_teams_thread_limit(1, device);
  CHECK(omp_get_device_teams_thread_limit(device) == 1);
#pragma omp target teams num_teams(1) map(from : threads) device(device)
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  CHECK(threads == 1);
  omp_set_device_num_teams(0, device);
  CHECK(omp_get_device_num_teams(device) == 0);
}

int main(int argc, char **argv) {
  int device = omp_get_default_device(), host = omp_get_initial_device();
  check_memory(device);
  if (argc > 1 && strcmp(argv[1], "teams") == 0) check_teams(device);
  omp_set_device_num_teams(4, host);
  CHECK(omp_get_device_num_teams(host) == 4 && omp_get_max_teams() == 4);
  omp_set_device_teams_thread_limit(2, host);
  CHECK(omp_get_device_teams_thread_limit(host) == 2 && omp_get_teams_thread_limit() == 2);
  CHECK(omp_get_device_num_teams(omp_invalid_device) == 0);
  CHECK(omp_get_device_teams_thread_limit(omp_invalid_device) == 0);
  CHECK(omp_get_max_progress_width(host) == 1);
  CHECK(!omp_is_free_agent() && !omp_ancestor_is_free_agent(0));
  CHECK(omp_get_device_memspace(host, omp_large_cap_mem_space) == omp_large_cap_mem_space);
  CHECK(omp_get_device_allocator(host, omp_large_cap_mem_space) == omp_large_cap_mem_alloc);
  if (argc > 1 && strcmp(argv[1], "end") == 0) omp_set_device_num_teams(1, omp_invalid_device);
  printf("width %d, %d wrong\n", omp_get_max_progress_width(device), test_failures);
  return test_failures != 0;
}

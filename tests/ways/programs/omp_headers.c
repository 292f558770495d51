/* Values and names that Clang's omp.h and solo's must share, because a program and a library may
 * use different headers. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#pragma omp requires dynamic_allocators

static int allocates_in(omp_memspace_handle_t space) {
  omp_alloctrait_t line[] = {{omp_atk_alignment, 64}};
  omp_allocator_handle_t allocator = omp_init_allocator(space, 1, line);
  char *data = omp_alloc(100, allocator);
  int fits = data && (uintptr_t)data % 64 == 0;
  omp_free(data, allocator);
  omp_destroy_allocator(allocator);
  return fits;
}

#ifndef SOLO_OMP_H /* OpenMP 6.0, not in Clang 19's header */
extern omp_memspace_handle_t omp_get_device_memspace(int device, omp_memspace_handle_t kind);
#endif

int main(void) {
  char text[80] = "";
  int on_device = 0;
  omp_set_affinity_format("thread %n of %N");
  size_t length = omp_get_affinity_format(text, sizeof text);
  printf("format of %zu: %s\n", length, text);
  length = omp_capture_affinity(text, sizeof text, NULL);
  printf("captured %zu: %s\n", length, text);
  fflush(stdout);
  omp_display_affinity(NULL);
  omp_display_affinity("level %L");
  omp_display_affinity("on %A");
#pragma omp target map(from : on_device)
  on_device = allocates_in(omp_default_mem_space);
  printf("allocates: host %d, device %d, from the CPU device's space %d\n",
         allocates_in(omp_default_mem_space), on_device,
         allocates_in(omp_get_device_memspace(0, omp_default_mem_space)));
  return 0;
}

/* Description: checks omp_alloc routines, allocator traits, and the allocate directive and clause. */
#include "tests/unit/test.h"
#include <omp.h>
#include <stdint.h>

int main(void) {
  char *p = omp_alloc(100, omp_default_mem_alloc);
  memset(p, 1, 100);
  p = omp_realloc(p, 10000, omp_null_allocator, omp_null_allocator);
  CHECK(p[0] == 1 && p[99] == 1);
  omp_free(p, omp_null_allocator);
  CHECK(!omp_alloc(0, omp_default_mem_alloc));
  p = omp_aligned_alloc(4096, 10, omp_high_bw_mem_alloc);
  CHECK_INT((uintptr_t)p % 4096, 0);
  omp_free(p, omp_high_bw_mem_alloc);
  long *z = omp_calloc(1000, sizeof *z, omp_large_cap_mem_alloc);
  int wrong = 0;
  for (int i = 0; i < 1000; i++) wrong += z[i] != 0;
  CHECK_INT(wrong, 0);
  omp_free(z, omp_null_allocator);
  CHECK(!omp_calloc(SIZE_MAX / 2, 4, omp_default_mem_alloc));
  z = omp_aligned_calloc(2048, 500, sizeof *z, omp_const_mem_alloc);
  CHECK(z && (uintptr_t)z % 2048 == 0);
  for (int i = 0; z && i < 500; i++) wrong += z[i] != 0;
  CHECK_INT(wrong, 0);
  omp_free(z, omp_null_allocator);
  CHECK(!omp_aligned_calloc(3, 1, 8, omp_default_mem_alloc));

  omp_alloctrait_t traits[] = {
      {omp_atk_alignment, 256}, {omp_atk_pool_size, 10000}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, traits);
  CHECK(pool != omp_null_allocator);
  void *a = omp_alloc(6000, pool);
  CHECK(a && (uintptr_t)a % 256 == 0);
  CHECK(!omp_alloc(6000, pool));
  omp_free(a, pool);
  a = omp_alloc(6000, pool);
  CHECK(a);
  omp_alloctrait_t chained[] = {{omp_atk_pool_size, 100},
                                {omp_atk_fallback, omp_atv_allocator_fb},
                                {omp_atk_fb_data, (omp_uintptr_t)pool}};
  omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, chained);
  CHECK(!omp_alloc(6000, small)); /* the pool is too small, and the fallback pool is exhausted */
  void *b = omp_alloc(1000, small);
  CHECK(b);
  omp_free(b, omp_null_allocator);
  omp_free(a, omp_null_allocator);
  omp_alloctrait_t bad[] = {{omp_atk_alignment, 3}};
  CHECK(omp_init_allocator(omp_default_mem_space, 1, bad) == omp_null_allocator);
  omp_alloctrait_t usual[] = {{omp_atk_alignment, omp_atv_default}};
  omp_allocator_handle_t usual_one = omp_init_allocator(omp_default_mem_space, 1, usual);
  CHECK(usual_one != omp_null_allocator);
  void *c = omp_alloc(100, usual_one);
  CHECK(c);
  omp_free(c, usual_one);
  omp_destroy_allocator(usual_one);
  omp_set_default_allocator(pool);
  CHECK(omp_get_default_allocator() == pool);
  CHECK(!omp_alloc(60000, omp_null_allocator));
  omp_set_default_allocator(omp_default_mem_alloc);

  int sum = 0, value[100];
  for (int i = 0; i < 100; i++) value[i] = i;
#pragma omp parallel private(value) allocate(omp_thread_mem_alloc : value) reduction(+ : sum)
  {
    value[5] = omp_get_thread_num();
    int local[16];
#pragma omp allocate(local) allocator(omp_high_bw_mem_alloc)
    local[0] = value[5];
    sum += local[0] + 1;
  }
  CHECK(sum > 0);
  omp_destroy_allocator(small);
  omp_destroy_allocator(pool);
  return TEST_RESULT();
}

/* Allocators in kernels: traits, fallback, alignment, and blocks of many threads. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#pragma omp requires dynamic_allocators
#define CHECK(c) wrong += (c) ? 0 : (first = first ? first : __LINE__, 1)
int main(void) {
  int wrong = 0, first = 0, is_host = 0;
#pragma omp target map(from : is_host)
  is_host = omp_is_initial_device();
  if (is_host) return 77; /* libomp aborts */
#pragma omp target map(tofrom : wrong, first)
  {
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 256}, {omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t a = omp_init_allocator(omp_default_mem_space, 3, traits);
    CHECK(a != omp_null_allocator);
    char *p = omp_alloc(600, a), *q = omp_alloc(600, a);
    CHECK(p && (uintptr_t)p % 256 == 0 && !q);
    omp_free(p, a);
    p = omp_aligned_alloc(1024, 900, a);
    CHECK(p && (uintptr_t)p % 1024 == 0);
    omp_free(p, omp_null_allocator);
    omp_alloctrait_t other[] = {{omp_atk_pool_size, 100},
                                {omp_atk_fallback, omp_atv_allocator_fb},
                                {omp_atk_fb_data, (omp_uintptr_t)a}};
    omp_allocator_handle_t b = omp_init_allocator(omp_default_mem_space, 3, other);
    p = omp_alloc(600, b);
    q = omp_alloc(600, b);
    CHECK(p && (uintptr_t)p % 256 == 0 && !q);
    omp_free(p, b);
    omp_destroy_allocator(b);
    omp_destroy_allocator(a);
    omp_alloctrait_t bad[] = {{omp_atk_alignment, 3}};
    CHECK(omp_init_allocator(omp_default_mem_space, 1, bad) == omp_null_allocator);
    omp_allocator_handle_t d = omp_init_allocator(omp_high_bw_mem_space, 0, NULL);
    omp_alloctrait_t no_data[] = {{omp_atk_fallback, omp_atv_allocator_fb}};
    CHECK(omp_init_allocator(omp_default_mem_space, 1, no_data) == omp_null_allocator);
    omp_allocator_handle_t e = omp_init_allocator(omp_default_mem_space, 1, traits);
    p = omp_alloc(100, e);
    p = omp_realloc(p, 200, omp_null_allocator, e); /* the allocator of the block */
    CHECK((uintptr_t)p % 256 == 0);
    for (int i = 0; i < 200; i++) p[i] = 'x'; /* probably in the next block */
    omp_free(p, e);
    omp_destroy_allocator(e);
    char *old = omp_alloc(100 * sizeof(int), d);
    for (int i = 0; i < 400; i++) old[i] = 'x';
    omp_free(old, d);
    int *z = omp_calloc(100, sizeof(int), d);
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += z[i] != 0, z[i] = i;
    CHECK(sum == 0);
    z = omp_realloc(z, 1000 * sizeof(int), d, d);
    for (int i = 0; i < 100; i++) sum += z[i] != i;
    CHECK(sum == 0);
    z = omp_realloc(z, 0, d, d);
    CHECK(!z);
    z = omp_aligned_calloc(128, 10, 8, omp_cgroup_mem_alloc);
    CHECK(z && (uintptr_t)z % 128 == 0 && !z[19]);
    omp_free(z, omp_cgroup_mem_alloc);
#ifdef __NVPTX__
    omp_alloctrait_t large[] = {{omp_atk_pool_size, ((omp_uintptr_t)1 << 40) + 100},
                                {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t l = omp_init_allocator(omp_default_mem_space, 2, large);
    CHECK(!omp_alloc((size_t)1 << 40, l));
    p = omp_alloc(200, l);
    CHECK(p);
    omp_free(p, l);
#endif
    CHECK(!omp_alloc(0, omp_default_mem_alloc));
    CHECK(!omp_calloc((size_t)1 << 40, (size_t)1 << 40, omp_default_mem_alloc));
    omp_free(NULL, omp_default_mem_alloc);
    CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
  }
  int bad = 0;
#pragma omp target teams distribute parallel for map(tofrom : bad) num_teams(2) thread_limit(32)
  for (int i = 0; i < 64; i++) {
    int *p = omp_aligned_alloc(64, 40, omp_thread_mem_alloc);
    for (int k = 0; k < 10; k++) p[k] = i + k;
    int off = 0;
    for (int k = 0; k < 10; k++) off += p[k] != i + k;
    off += (uintptr_t)p % 64 != 0;
    omp_free(p, omp_thread_mem_alloc);
#pragma omp atomic
    bad += off;
  }
  printf("%d %d %d\n", wrong, first, bad);
  return wrong || bad;
}

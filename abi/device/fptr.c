/* Translates a host function address to the device function (abi-facts 10) on GPUs; CPU images use
 * abi/fptr_device.c. runtime/device/fptr.c writes the globals. A kernel reads the old or the new table. */

typedef unsigned long long u64;

typedef struct pair {
  u64 host, device;
} pair;

typedef struct map {
  u64 count, reserved;
  pair pairs[];
} map;

/* PUBLISHED: for the host; CALLED: for device code */
#if defined(__NVPTX__) || defined(__AMDGPU__)
#define PUBLISHED __attribute__((weak, used, retain, visibility("protected")))
#define CALLED    __attribute__((weak, visibility("hidden")))
#else
#define PUBLISHED __attribute__((weak, used, visibility("default")))
#define CALLED    __attribute__((weak, visibility("hidden")))
#endif

extern const map *volatile solo_fptr_map;
extern const pair *__omp_offloading_fptr_map_p;
extern u64 __omp_offloading_fptr_map_size;

CALLED void *__kmpc_target_translate_fptr(void *host);
CALLED void *__llvm_omp_indirect_call_lookup(void *host);

PUBLISHED const map *volatile solo_fptr_map = 0;
PUBLISHED const pair *__omp_offloading_fptr_map_p = 0;
PUBLISHED u64 __omp_offloading_fptr_map_size = 0;

/* Binary search. A conditional move selects the half, so that the threads of a warp do not diverge. */
void *__kmpc_target_translate_fptr(void *host) {
  const map *table = solo_fptr_map;
  u64 key = (u64)host;
  if (!table || !table->count) return host;
  const pair *at = table->pairs;
  for (u64 left = table->count; left > 1;) {
    u64 half = left / 2;
    at = at[half].host <= key ? at + half : at;
    left -= half;
  }
  return at->host == key ? (void *)at->device : host;
}

/* Weak, so that a definition in Clang's device runtime has priority. */
void *__llvm_omp_indirect_call_lookup(void *host) {
  return __kmpc_target_translate_fptr(host);
}

/* Device code: from a host function's address to the device's function (abi-facts
 * 10). For GPUs; CPU images call the library's (abi/fptr_device.c).
 *
 * Freestanding C that imports nothing: make.sh of this folder makes it an archive of bitcode for
 * nvptx and amdgcn, which solo-cc links; the tests compile it for the simulated devices.
 * The host writes the globals below when a library with indirect functions is loaded or goes
 * (runtime/device/fptr.c). A kernel that runs meanwhile sees the old table or the new one, because
 * solo_fptr_map is one word.
 */

typedef unsigned long long u64;

/* As __omp_offloading_fptr_map_ty of the seed. */
typedef struct pair {
  u64 host, device;
} pair;

/* What the device has: the number of pairs, and the pairs, sorted by host. */
typedef struct map {
  u64 count, reserved;
  pair pairs[];
} map;

/* One of each per image, kept and visible to the host however the code is linked. */
#if defined(__NVPTX__) || defined(__AMDGPU__)
#define PUBLISHED __attribute__((weak, used, retain, visibility("protected")))
#define CALLED    __attribute__((weak, visibility("hidden")))
#else
#define PUBLISHED __attribute__((weak, used, visibility("default")))
#define CALLED    __attribute__((weak, visibility("hidden")))
#endif

extern const map *volatile solo_fptr_map;
/* The seed's, for those who ask for them by name: the same pairs, address and count apart. */
extern const pair *__omp_offloading_fptr_map_p;
extern u64 __omp_offloading_fptr_map_size;

CALLED void *__kmpc_target_translate_fptr(void *host);
CALLED void *__llvm_omp_indirect_call_lookup(void *host);

PUBLISHED const map *volatile solo_fptr_map = 0;
PUBLISHED const pair *__omp_offloading_fptr_map_p = 0;
PUBLISHED u64 __omp_offloading_fptr_map_size = 0;

/* The half that can hold the key is chosen by a selection, not by a branch: threads of a warp that
 * look for different functions stay together. */
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

/* Clang's name for it. Its own device runtime has one, too, which reads address and count apart and
 * is what Clang finds first. */
void *__llvm_omp_indirect_call_lookup(void *host) {
  return __kmpc_target_translate_fptr(host);
}

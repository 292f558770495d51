/* Data constructs in objects of GCC: the host's data need no mapping. For use_device_ptr, GCC reads
 * translated addresses from the array `hosts`; it remains unchanged, so they are host addresses. */
#include "abi/gomp/internal.h"
#include "abi/gomp/presence.h"

#define IGNORE_MAP (void)device, (void)count, (void)hosts, (void)sizes, (void)kinds

SOLO_EXPORT void GOMP_target_data(int device, const void *unused, size_t count, void **hosts,
                                  size_t *sizes, unsigned char *kinds) {
  IGNORE_MAP, (void)unused;
}

SOLO_EXPORT void GOMP_target_data_ext(int device, size_t count, void **hosts, size_t *sizes,
                                      unsigned short *kinds) {
  IGNORE_MAP;
}

SOLO_EXPORT void GOMP_target_end_data(void) {}

SOLO_EXPORT void GOMP_target_update(int device, const void *unused, size_t count, void **hosts,
                                    size_t *sizes, unsigned char *kinds) {
  IGNORE_MAP, (void)unused;
}

SOLO_EXPORT void GOMP_target_update_ext(int device, size_t count, void **hosts, size_t *sizes,
                                        unsigned short *kinds, unsigned flags, void **depend) {
  IGNORE_MAP, (void)flags;
  (void)solo_kmp_self();
  solo_gomp_depend_wait(depend);
}

SOLO_EXPORT void GOMP_target_enter_exit_data(int device, size_t count, void **hosts, size_t *sizes,
                                             unsigned short *kinds, unsigned flags, void **depend) {
  IGNORE_MAP, (void)flags;
  (void)solo_kmp_self();
  solo_gomp_depend_wait(depend);
}

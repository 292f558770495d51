/* Messages about what the runtime does, off by default: LIBOMPTARGET_INFO's bits and line shapes.
 *
 * Off costs one load and one predictable branch. Threads: any.
 */
#ifndef SOLO_INFO_H
#define SOLO_INFO_H

#include "runtime/base/atomic.h"
#include "runtime/base/log.h"

enum solo_info_bits {
  SOLO_INFO_KERNEL_ARGS = 0x1,
  SOLO_INFO_MAPPING_EXISTS = 0x2,
  SOLO_INFO_DUMP_TABLE = 0x4,
  SOLO_INFO_MAPPING_CHANGED = 0x8,
  SOLO_INFO_LAUNCH = 0x10,
  SOLO_INFO_TRANSFER = 0x20,
  SOLO_INFO_EMPTY_MAPPING = 0x40,
  SOLO_INFO_ALL = 0x7fffffff,
};

/* A bit of solo_info_bits that no message has: somebody observes (trace/observer.h). */
#define SOLO_OBSERVED UINT32_C(0x80000000)

/* Set from LIBOMPTARGET_INFO when the first device opens, and by __tgt_set_info_flag. */
extern _Atomic uint32_t solo_info_bits;

/* Map names are ";a[0:10];file.c;12;3;;", and flang's are ";/folder/file.f90;a;12;3;;": the number of the field with the
 * variable. That of the file is 3 less it. */
SOLO_INLINE int solo_info_variable_field(const char *name) {
  return name[0] == ';' && name[1] == '/' ? 2 : 1;
}

/* The variable of a map name, as stock's messages have it; a symbol as it is; NULL: "unknown". Returned as out's text
 * or one of the two. */
typedef struct solo_info_variable {
  char text[120];
} solo_info_variable;
const char *solo_info_variable_of(const char *name, solo_info_variable *out) SOLO_COLD;

/* The n-th field of ";a;b;c;", as pointer and length. */
const char *solo_info_field(const char *text, int n, int *out_length) SOLO_COLD;

void solo_info_print(int device, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;
/* The same for lines that stock's plugins print, under the name that they have there. */
void solo_info_print_launch(int device, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;

/* relaxed: bits that say what is printed; they order nothing */
#define SOLO_INFO(bit, device, ...)                                                                \
  do {                                                                                             \
    if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & (bit)))                                 \
      solo_info_print((device), __VA_ARGS__);                                                      \
  } while (0)

#endif

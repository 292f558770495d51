/* Bits and line formats of LIBOMPTARGET_INFO. */
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

/* Not a LIBOMPTARGET_INFO bit: set if an observer exists, so that one load of solo_info_bits tests
 * both. */
#define SOLO_OBSERVED UINT32_C(0x80000000)

/* Settings. Stored at the first construct (abi/policy.c), and by __tgt_set_info_flag. */
extern _Atomic uint32_t solo_info_bits;

/* Returns the field number of the variable's name in ";a[0:10];file.c;12;3;;" (Clang) or
 * ";/folder/file.f90;a;12;3;;" (flang). The file's field is 3 minus this number. */
SOLO_INLINE int solo_info_variable_field(const char *name) {
  return name[0] == ';' && name[1] == '/' ? 2 : 1;
}

/* Returns the variable of a map name; "unknown" for NULL. The text may be in *out. */
typedef struct solo_info_variable {
  char text[120];
} solo_info_variable;
const char *solo_info_variable_of(const char *name, solo_info_variable *out) SOLO_COLD;

const char *solo_info_field(const char *text, int n, int *out_length) SOLO_COLD;

void solo_info_print(int device, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;
/* Prints with the prefix of LLVM's plugins. */
void solo_info_print_launch(int device, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;

/* relaxed: settings */
#define SOLO_INFO(bit, device, ...)                                                                \
  do {                                                                                             \
    if (SOLO_UNLIKELY(solo_load_relaxed(&solo_info_bits) & (bit)))                                 \
      solo_info_print((device), __VA_ARGS__);                                                      \
  } while (0)

#endif

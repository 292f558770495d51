/* What LIBOMPTARGET_INFO prints of a construct as a whole, in stock's words: its map list and what is
 * found of it (bits 1, 2 and 64), every device's table after it (bit 4).
 *
 * A program of linked images takes this from libsolo_linked.a only when it was compiled with debug
 * information, without which no variable has a name: solo-link looks. The core asks by a weak name
 * and hands over what is needed of it. Threads: any; another one may change a count meanwhile.
 */
#ifndef SOLO_ABI_INFO_H
#define SOLO_ABI_INFO_H

#include "runtime/device/device.h"
#include "runtime/map/map.h"
#include "runtime/trace/observer.h"

/* The bits of LIBOMPTARGET_INFO that this file prints for. */
#define TGT_INFO_BITS                                                                              \
  (SOLO_INFO_KERNEL_ARGS | SOLO_INFO_MAPPING_EXISTS | SOLO_INFO_DUMP_TABLE |                       \
   SOLO_INFO_EMPTY_MAPPING)

/* Of the core. */
typedef struct solo_print_needs {
  const _Atomic uint32_t *bits; /* of LIBOMPTARGET_INFO */
  void (*print)(int device, const char *format, ...) SOLO_PRINTF(2, 3);
  const char *(*field)(const char *text, int n, int *out_length);
  const char *(*variable_of)(const char *name, solo_info_variable *out);
  solo_presence (*try)(solo_mapping_table *table, const solo_request *request,
                       solo_mapping **out_mapping, uint64_t *out_version);
  void (*each)(solo_mapping_table *table, void (*visit)(void *context, solo_index_range range),
               void *context);
  solo_status (*with_mapper)(solo_construct *c, const solo_map_list *list, int32_t i,
                             solo_map_then *then);
} solo_print_needs;

typedef struct solo_print_seam {
  /* Its arguments, and what its end or update finds. The list can be read (solo_map_check). */
  void (*construct)(const solo_print_needs *needs, const solo_trace_event *construct,
                    const solo_map_list *list, solo_device *device);
  /* What the beginning of c found, a region's parameters and end too: c has taken its references, and
   * not given them back. */
  void (*begun)(const solo_print_needs *needs, solo_trace_kind kind, const solo_construct *c,
                const solo_map_list *list);
  /* where: the construct's location or NULL. */
  void (*table)(const solo_print_needs *needs, int device, solo_mapping_table *table,
                const char *where);
} solo_print_seam;
extern SOLO_EXPORT const solo_print_seam solo_print SOLO_WEAK;

#endif

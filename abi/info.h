/* Prints map lists and mapping tables for LIBOMPTARGET_INFO (bits 1, 2, 4, 64), in the words of
 * LLVM's libomptarget. solo-link adds this file only to programs with debug information, so the
 * core refers to solo_print weakly. */
#ifndef SOLO_ABI_INFO_H
#define SOLO_ABI_INFO_H

#include "runtime/device/device.h"
#include "runtime/map/map.h"
#include "runtime/trace/observer.h"

#define TGT_INFO_BITS                                                                              \
  (SOLO_INFO_KERNEL_ARGS | SOLO_INFO_MAPPING_EXISTS | SOLO_INFO_DUMP_TABLE |                       \
   SOLO_INFO_EMPTY_MAPPING)

typedef struct solo_print_functions {
  const _Atomic uint32_t *bits;
  void (*print)(int device, const char *format, ...) SOLO_PRINTF(2, 3);
  const char *(*field)(const char *text, int n, int *out_length);
  const char *(*variable_of)(const char *name, solo_info_variable *out);
  solo_presence (*try)(solo_mapping_table *table, const solo_request *request,
                       solo_mapping **out_mapping, uint64_t *out_version);
  uint64_t (*count)(const solo_mapping *m, uint64_t count, solo_ref ref);
  void (*each)(solo_mapping_table *table, void (*visit)(void *context, solo_index_range range),
               void *context);
  solo_status (*with_mapper)(solo_construct *c, const solo_map_list *list, int32_t i,
                             solo_map_then *then);
} solo_print_functions;

typedef struct solo_print_seam {
  /* Prints the arguments, and for a data end or update also the mappings found. solo_map_check() has accepted the list. */
  void (*construct)(const solo_print_functions *needs, const solo_trace_event *construct,
                    const solo_map_list *list, solo_device *device);
  /* Prints the mappings that c found at its begin; for a target region also those of parameters and of the end. c still
   * holds its references. */
  void (*begun)(const solo_print_functions *needs, solo_trace_kind kind, const solo_construct *c,
                const solo_map_list *list);
  /* Prints the mapping table. where: source location or NULL */
  void (*table)(const solo_print_functions *needs, int device, solo_mapping_table *table,
                const char *where);
} solo_print_seam;
extern SOLO_EXPORT const solo_print_seam solo_print SOLO_WEAK;

#endif

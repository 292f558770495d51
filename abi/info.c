/* What LIBOMPTARGET_INFO's bits 1 and 4 tell of constructs, in stock's words: the arguments of each, and the
 * mapping tables behind each (policy.h). With the core, or a member that static programs ask for
 * (-u solo_info_start: solo-cc --profile).
 */
#include "abi/policy.h"

#include "runtime/map/map.h"
#include "runtime/trace/info.h"
#include <stdio.h>
#include <string.h>

/* Where the file is in a construct's ";file;function;line;column;;" and a map's ";a[0:4];file;line;column;;".
 */
enum { OF_CONSTRUCT = 1, OF_NAME = 2 };

/* "file.c:12:3"; "unknown:0:0" where the compiler did not say. */
static const char *place_of(const char *where, int file_field, char *out, size_t size) {
  int file_length, line_length, column_length;
  const char *file = solo_info_field(where, file_field, &file_length);
  const char *line = solo_info_field(where, 3, &line_length);
  const char *column = solo_info_field(where, 4, &column_length);
  if (!where || !file_length || !line_length) return "unknown:0:0";
  snprintf(out, size, "%.*s:%.*s:%.*s", file_length, file, line_length, line, column_length,
           column);
  return out;
}

static const char *word_of(uint64_t type, int64_t size) {
  if ((type & SOLO_MAP_TO) && (type & SOLO_MAP_FROM)) return "tofrom";
  if (type & SOLO_MAP_TO) return "to";
  if (type & SOLO_MAP_FROM) return "from";
  if (type & SOLO_MAP_PRIVATE) return "private";
  if (type & SOLO_MAP_LITERAL) return "firstprivate";
  return size ? "alloc" : "use_address";
}

static int number_of(int64_t device) {
  return (int)(device == -1 ? tgt_default_device() : device);
}

void tgt_info_arguments(solo_trace_kind kind, int64_t device, const char *where,
                        const solo_map_list *list) {
  static const char *const what[] = {
      [SOLO_TRACE_REGION] = "Entering OpenMP kernel",
      [SOLO_TRACE_DATA_BEGIN] = "Entering OpenMP data region with being_mapper",
      [SOLO_TRACE_DATA_END] = "Exiting OpenMP data region with end_mapper",
      [SOLO_TRACE_DATA_UPDATE] = "Updating data within the OpenMP data region with update_mapper"};
  char place[256];
  int number = number_of(device);
  if (!(solo_load_relaxed(&solo_info_bits) & SOLO_INFO_KERNEL_ARGS)) return; /* a switch */
  solo_info_print(number, "%s at %s with %d arguments:", what[kind],
                  place_of(where, OF_CONSTRUCT, place, sizeof place), list->count);
  for (int32_t i = 0; i < list->count; i++) {
    solo_info_variable variable;
    uint64_t type = (uint64_t)list->types[i];
    const char *name = list->names ? list->names[i] : NULL;
    solo_info_print(number, "%s(%s)[%lld] %s", word_of(type, list->sizes[i]),
                    solo_info_variable_of(name, &variable), (long long)list->sizes[i],
                    type & SOLO_MAP_IMPLICIT ? "(implicit)" : "");
  }
}

/* "a[0:4] at file.c:12:3" */
static const char *declaration_of(const char *name) {
  static _Thread_local char text[256];
  solo_info_variable variable;
  char place[160];
  int length;
  (void)solo_info_field(name, 2, &length);
  snprintf(text, sizeof text, "%s at %s", solo_info_variable_of(name, &variable),
           place_of(length ? name : NULL, OF_NAME, place, sizeof place));
  return text;
}

void tgt_info_tables(const char *where) {
  char place[256];
  if (!(solo_load_relaxed(&solo_info_bits) & SOLO_INFO_DUMP_TABLE)) return; /* a switch */
  for (int i = 0; i < solo_device_count(); i++)
    if (solo_devices[i]->handle)
      solo_mapping_dump(&solo_devices[i]->mappings, i,
                        place_of(where, OF_CONSTRUCT, place, sizeof place), declaration_of);
    else
      solo_info_print(i, "OpenMP Host-Device pointer mappings table empty");
}

extern const int solo_info_start;
const int solo_info_start = 1;

/* A construct's map list and tables, for LIBOMPTARGET_INFO (info.h). */
#include "abi/info.h"

#include <stdio.h>
#include <stdlib.h>

/* "file.c:12:3" of a location as the compiler wrote it (its file is field 1) or of a map name (field
 * 2), without folders; "unknown:0:0". */
typedef struct place {
  char text[120];
} place;

static const char *place_of(const solo_print_needs *needs, const char *text, int file_field,
                            place *out) {
  int file_length, length;
  const char *file = needs->field(text, file_field, &file_length);
  const char *line = needs->field(text, 3, &length), *column;
  if (!text || *text != ';' || !file_length || !length) return "unknown:0:0";
  for (int i = file_length; i-- > 0;) {
    if (file[i] != '/') continue;
    file_length -= i + 1;
    file += i + 1;
    break;
  }
  column = needs->field(text, 4, &length);
  snprintf(out->text, sizeof out->text, "%.*s:%ld:%ld", file_length, file, strtol(line, NULL, 10),
           strtol(column, NULL, 10));
  return out->text;
}

static const char *type_name(uint64_t type, int64_t size) {
  static const char *const directions[] = {NULL, "to", "from", "tofrom"};
  if (type & (SOLO_MAP_TO | SOLO_MAP_FROM)) return directions[type & 3];
  return (type & SOLO_MAP_PRIVATE)   ? "private"
         : (type & SOLO_MAP_LITERAL) ? "firstprivate"
         : size                      ? "alloc"
                                     : "use_address";
}

static void print_arguments(const solo_print_needs *needs, const solo_trace_event *construct,
                            const solo_map_list *list) {
  static const char *const titles[] = {
      [SOLO_TRACE_REGION] = "Entering OpenMP kernel",
      [SOLO_TRACE_DATA_BEGIN] = "Entering OpenMP data region with being_mapper", /* as stock */
      [SOLO_TRACE_DATA_END] = "Exiting OpenMP data region with end_mapper",
      [SOLO_TRACE_DATA_UPDATE] = "Updating data within the OpenMP data region with update_mapper"};
  place place;
  needs->print(construct->device, "%s at %s with %d arguments:", titles[construct->kind],
               place_of(needs, construct->where, 1, &place), list->count);
  for (int32_t i = 0; i < list->count; i++) {
    solo_info_variable variable;
    uint64_t type = (uint64_t)list->types[i];
    needs->print(construct->device, "%s(%s)[%lld] %s", type_name(type, list->sizes[i]),
                 needs->variable_of(solo_map_name(list, i), &variable), (long long)list->sizes[i],
                 (type & SOLO_MAP_IMPLICIT) ? "(implicit)" : "");
  }
}

/* When an entry is looked up: for the beginning of a construct, as a parameter, for the end. */
typedef enum moment { BEGIN, PARAMETER, END } moment;

typedef struct lookup {
  const solo_print_needs *needs;
  const solo_trace_event *construct;
  const solo_map_list *list;
  moment moment;
} lookup;

/* What stock calls the change of a count, and the change. left: the counts before it. */
static const char *action_of(const lookup *l, uint64_t type, long left, long others, long *change) {
  int refers = l->moment == BEGIN ? !(type & SOLO_MAP_MEMBER_OF)
                                  : !(type & SOLO_MAP_MEMBER_OF) || (type & SOLO_MAP_PTR_AND_OBJ);
  *change = 0;
  if (l->moment == PARAMETER || l->construct->kind == SOLO_TRACE_DATA_UPDATE || !refers)
    return " (update suppressed)";
  *change = l->moment == BEGIN ? 1 : (type & SOLO_MAP_DELETE) ? -left : -1;
  int last = left + *change == 0 && others == 0;
  if (l->moment == BEGIN) return " (incremented)";
  if (type & SOLO_MAP_DELETE) return last ? " (reset, delayed deletion)" : " (reset)";
  return last ? " (decremented, delayed deletion)" : " (decremented)";
}

/* An entry's mapping, with the count that this moment leaves if no other thread changes it. version: as
 * found; a region's end comes behind its own beginning. */
static void print_mapping(const lookup *l, int32_t i, const solo_mapping *m, uint64_t version) {
  uint64_t type = (uint64_t)l->list->types[i];
  int held = (type & SOLO_MAP_HOLD) != 0, region = l->construct->kind == SOLO_TRACE_REGION;
  long counts[2] = {(long)(version & SOLO_COUNT_DYNAMIC),
                    (long)((version & SOLO_COUNT_HOLD) / SOLO_COUNT_HOLD_ONE)};
  long change;
  if (region && l->moment != BEGIN && !(type & SOLO_MAP_MEMBER_OF)) counts[held]++;
  const char *action = action_of(l, type, counts[held], counts[!held], &change);
  if (l->moment == PARAMETER) held = 0;
  counts[held] += change;
  char dynamic[24] = "INF";
  if ((version & SOLO_COUNT_DYNAMIC) != SOLO_COUNT_DYNAMIC)
    snprintf(dynamic, sizeof dynamic, "%ld", counts[0]);
  uintptr_t begin = (uintptr_t)l->list->begins[i];
  /* relaxed: what it is at some time during the call */
  uint64_t device = solo_load_relaxed(&m->device) + (begin - solo_load_relaxed(&m->begin));
  int begins = l->moment == BEGIN && l->construct->kind != SOLO_TRACE_DATA_UPDATE;
  solo_info_variable variable;
  l->needs->print(l->construct->device,
                  "Mapping exists%s with HstPtrBegin=0x%016lx, TgtPtrBegin=0x%016llx, Size=%lld, "
                  "DynRefCount=%s%s, HoldRefCount=%ld%s%s%s",
                  begins && (type & SOLO_MAP_IMPLICIT) ? " (implicit)" : "", (unsigned long)begin,
                  (unsigned long long)device, (long long)l->list->sizes[i], dynamic,
                  held ? "" : action, counts[1], held ? action : "", begins ? ", Name=" : "",
                  begins ? l->needs->variable_of(solo_map_name(l->list, i), &variable) : "");
}

static void look_up(const lookup *l, int32_t i, solo_mapping_table *table) {
  uint64_t type = (uint64_t)l->list->types[i], version;
  solo_request request = {(uintptr_t)l->list->begins[i], (uint64_t)l->list->sizes[i], SOLO_REF_NONE,
                          0};
  solo_info_variable variable;
  solo_mapping *m;
  if (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE)) return;
  if (l->moment == PARAMETER && !(type & SOLO_MAP_TARGET_PARAM)) return;
  if (l->needs->try(table, &request, &m, &version) == SOLO_CONTAINED) {
    if (l->needs->bits & SOLO_INFO_MAPPING_EXISTS) print_mapping(l, i, m, version);
  } else if (l->moment == BEGIN && (l->needs->bits & SOLO_INFO_EMPTY_MAPPING) &&
             !l->list->sizes[i] && type && !(type & (SOLO_MAP_MEMBER_OF | SOLO_MAP_IMPLICIT))) {
    l->needs->print(l->construct->device, "variable %s does not have a valid device counterpart",
                    l->needs->variable_of(solo_map_name(l->list, i), &variable));
  }
}

/* In stock's order. What a region maps itself is not there yet: its lines are those of bit 8. */
void solo_print_construct(const solo_print_needs *needs, const solo_trace_event *construct,
                          const solo_map_list *list, solo_mapping_table *table) {
  int region = construct->kind == SOLO_TRACE_REGION, ends = construct->kind == SOLO_TRACE_DATA_END;
  lookup l = {.needs = needs, .construct = construct, .list = list};
  if (needs->bits & SOLO_INFO_KERNEL_ARGS) print_arguments(needs, construct, list);
  for (int32_t i = 0; !ends && i < list->count; i++) look_up(&l, i, table);
  l.moment = PARAMETER;
  for (int32_t i = 0; region && i < list->count; i++) look_up(&l, i, table);
  l.moment = END;
  for (int32_t i = list->count; (region || ends) && i-- > 0;) look_up(&l, i, table);
}

typedef struct table_print {
  const solo_print_needs *needs;
  int device;
} table_print;

static void print_row(void *context, solo_index_range range) {
  const table_print *print = context;
  const solo_mapping *m = range.value;
  uint64_t count = solo_load_relaxed(&m->count); /* a snapshot for people */
  if (count & SOLO_COUNT_OUT) return;            /* nobody has it mapped */
  char dynamic[24] = "INF";
  if ((count & SOLO_COUNT_DYNAMIC) != SOLO_COUNT_DYNAMIC)
    snprintf(dynamic, sizeof dynamic, "%u", (unsigned)(count & SOLO_COUNT_DYNAMIC));
  solo_info_variable variable;
  place place;
  print->needs->print(
      print->device, "0x%016lx 0x%016llx %-8zu %-11s %-12u %s at %s", (unsigned long)range.begin,
      (unsigned long long)solo_load_relaxed(&m->device), /* the lock is held */
      (size_t)(range.end - range.begin), dynamic,
      (unsigned)((count & SOLO_COUNT_HOLD) / SOLO_COUNT_HOLD_ONE),
      print->needs->variable_of(m->name, &variable), place_of(print->needs, m->name, 2, &place));
}

void solo_print_table(const solo_print_needs *needs, int device, solo_mapping_table *table,
                      const char *where) {
  place place;
  table_print print = {needs, device};
  needs->print(device, "OpenMP Host-Device pointer mappings after block at %s:",
               place_of(needs, where, 1, &place));
  needs->print(device, "%-18s %-18s %-8s %-11s %-12s %s", "Host Ptr", "Target Ptr", "Size (B)",
               "DynRefCount", "HoldRefCount", "Declaration");
  needs->each(table, print_row, &print);
}

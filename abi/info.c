#include "abi/info.h"

#include <stdio.h>
#include <stdlib.h>

/* Text "file.c:12:3" of a location or map name, in which field `file_field` is the file. */
typedef struct source_location {
  char text[120];
} source_location;

static const char *location_of(const solo_print_functions *needs, const char *text, int file_field,
                               source_location *out) {
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

static uint32_t bits_of(const solo_print_functions *needs) {
  return solo_load_relaxed(needs->bits); /* relaxed: a setting */
}

static const char *type_name(uint64_t type, int64_t size) {
  static const char *const directions[] = {NULL, "to", "from", "tofrom"};
  if (type & SOLO_MAP_ATTACH) return (type & SOLO_MAP_ALWAYS) ? "attach:always" : "attach";
  if (type & (SOLO_MAP_TO | SOLO_MAP_FROM)) return directions[type & 3];
  return (type & SOLO_MAP_PRIVATE)   ? "private"
         : (type & SOLO_MAP_LITERAL) ? "firstprivate"
         : size                      ? "alloc"
                                     : "use_address";
}

static void print_arguments(const solo_print_functions *needs, const solo_trace_event *construct,
                            const solo_map_list *list) {
  static const char *const titles[] = {
      [SOLO_TRACE_REGION] = "Entering OpenMP kernel",
      /* "being" is a misspelling of LLVM's libomptarget; tests compare the text */
      [SOLO_TRACE_DATA_BEGIN] = "Entering OpenMP data region with being_mapper",
      [SOLO_TRACE_DATA_END] = "Exiting OpenMP data region with end_mapper",
      [SOLO_TRACE_DATA_UPDATE] = "Updating data within the OpenMP data region with update_mapper"};
  static const char *const later[] = {
      [SOLO_TRACE_REGION] = "Entering OpenMP kernel",
      [SOLO_TRACE_DATA_BEGIN] = "Entering OpenMP data region with being_nowait_mapper",
      [SOLO_TRACE_DATA_END] = "Exiting OpenMP data region with end_nowait_mapper",
      [SOLO_TRACE_DATA_UPDATE] =
          "Updating data within the OpenMP data region with update_nowait_mapper"};
  source_location location;
  const char *title = construct->nowait ? later[construct->kind] : titles[construct->kind];
  needs->print(construct->device, "%s at %s with %d arguments:", title,
               location_of(needs, construct->where, 1, &location), list->count);
  for (int32_t i = 0; i < list->count; i++) {
    solo_info_variable variable;
    uint64_t type = (uint64_t)list->types[i];
    needs->print(construct->device, "%s(%s)[%lld] %s", type_name(type, list->sizes[i]),
                 needs->variable_of(solo_map_name(list, i), &variable), (long long)list->sizes[i],
                 (type & SOLO_MAP_IMPLICIT) ? "(implicit)" : "");
  }
}

typedef struct counts {
  const solo_mapping *mapping;
  long references[2];
  int infinite;
  int unmade; /* 1: the construct created the mapping in a step that the walk has not reached */
} counts;

/* After the begin of a construct, the walk repeats the construct's look-ups in these steps. The reference counts already
 * contain the construct's increments. BEFORE subtracts the increments without printing. BEGIN adds them again one by one, so
 * that each printed line shows the count at that time. */
typedef enum moment { BEFORE, BEGIN, PARAMETER, END } moment;

/* number of mappings with tracked counts; lines for further mappings show the current counts */
enum { KNOWN = 128 };

typedef struct walk {
  /* first member, because walk_list() casts its address to a walk */
  solo_construct construct;
  const solo_print_functions *needs;
  solo_trace_kind kind;
  moment moment;
  uint64_t creator;
  int count;
  counts known[KNOWN + 1];
} walk;

typedef struct part {
  uintptr_t begin;
  uint64_t size;
  uint64_t type;
  const char *name;
  int counts;
} part;

static counts *counts_of(walk *w, const solo_mapping *m, uint64_t version) {
  for (int i = 0; i < w->count; i++)
    if (w->known[i].mapping == m) return &w->known[i];
  counts *new = &w->known[w->count];
  if (w->count < KNOWN) w->count++;
  /* relaxed: m->creator equals w->creator only if this construct stored it */
  *new = (counts){.mapping = m,
                  .unmade = w->creator && solo_load_relaxed(&m->creator) == w->creator,
                  .infinite = (version & SOLO_COUNT_DYNAMIC) == SOLO_COUNT_DYNAMIC};
  if (new->unmade) return new;
  new->references[0] = (long)w->needs->count(m, version, SOLO_REF_DYNAMIC);
  new->references[1] = (long)w->needs->count(m, version, SOLO_REF_HOLD);
  return new;
}

static const char *change(const walk *w, const part *p, counts *of) {
  int held = (p->type & SOLO_MAP_HOLD) != 0;
  if (!p->counts) return " (update suppressed)";
  of->references[held] += w->moment == BEGIN            ? 1
                          : (p->type & SOLO_MAP_DELETE) ? -of->references[held]
                                                        : -1;
  if (w->moment != END) return " (incremented)";
  int last = !of->infinite && of->references[0] == 0 && of->references[1] == 0;
  if (!last) return " (decremented)";
  return (p->type & SOLO_MAP_DELETE) ? " (reset, delayed deletion)"
                                     : " (decremented, delayed deletion)";
}

static void print_mapping(const walk *w, const part *p, counts *of) {
  const char *action = change(w, p, of);
  if (w->moment == BEFORE || !(bits_of(w->needs) & SOLO_INFO_MAPPING_EXISTS)) return;
  int held = (p->type & SOLO_MAP_HOLD) && w->moment != PARAMETER;
  char dynamic[24] = "INF";
  if (!of->infinite) snprintf(dynamic, sizeof dynamic, "%ld", of->references[0]);
  /* relaxed: any value during the call is correct */
  uint64_t device =
      solo_load_relaxed(&of->mapping->device) + (p->begin - solo_load_relaxed(&of->mapping->begin));
  int begins = w->moment == BEGIN && w->kind != SOLO_TRACE_DATA_UPDATE;
  solo_info_variable variable;
  w->needs->print(w->construct.device->number,
                  "Mapping exists%s with HstPtrBegin=0x%016lx, TgtPtrBegin=0x%016llx, Size=%lld, "
                  "DynRefCount=%s%s, HoldRefCount=%ld%s%s%s",
                  begins && (p->type & SOLO_MAP_IMPLICIT) ? " (implicit)" : "",
                  (unsigned long)p->begin, (unsigned long long)device, (long long)p->size, dynamic,
                  held ? "" : action, of->references[1], held ? action : "",
                  begins ? ", Name=" : "", begins ? w->needs->variable_of(p->name, &variable) : "");
}

static void look_up(walk *w, part *p) {
  solo_request request = {p->begin, p->size, SOLO_REF_NONE, w->creator};
  solo_mapping *m = NULL;
  uint64_t version;
  solo_presence presence = w->needs->try(&w->construct.device->mappings, &request, &m, &version);
  int is_there =
      presence == SOLO_CONTAINED || (presence == SOLO_PARTIAL && (p->type & SOLO_MAP_IMPLICIT));
  counts *of = is_there ? counts_of(w, m, version) : NULL;
  if (of && of->unmade) {
    if (w->moment == BEFORE) return;
    if (p->size) { /* the creation was already printed (SOLO_INFO_MAPPING_CHANGED, bit 8) */
      of->references[(p->type & SOLO_MAP_HOLD) != 0] = 1;
      of->unmade = 0;
      return;
    }
    of = NULL;
  }
  solo_info_variable variable;
  if (of) {
    /* a pointer with its own mapping has its own reference (map/begin.c) */
    if (!p->name && !p->counts && w->moment < PARAMETER && (m->flags & SOLO_MAPPING_POINTER))
      p->counts = 1;
    print_mapping(w, p, of);
  } else if (w->moment == BEGIN && (bits_of(w->needs) & SOLO_INFO_EMPTY_MAPPING) && !p->size &&
             p->type && !(p->type & (SOLO_MAP_MEMBER_OF | SOLO_MAP_IMPLICIT))) {
    w->needs->print(w->construct.device->number,
                    "variable %s does not have a valid device counterpart",
                    w->needs->variable_of(p->name, &variable));
  }
}

static solo_status walk_list(solo_construct *c, const solo_map_list *list, solo_map_slot *slots);

static void walk_entry(walk *w, const solo_map_list *list, int32_t i) {
  const uint64_t lambda =
      SOLO_MAP_LITERAL | SOLO_MAP_PTR_AND_OBJ | SOLO_MAP_MEMBER_OF | SOLO_MAP_IMPLICIT;
  uint64_t type = (uint64_t)list->types[i];
  part p = {(uintptr_t)list->begins[i], (uint64_t)list->sizes[i], type, solo_map_name(list, i), 0};
  if (w->moment == PARAMETER) {
    int captured = (type & SOLO_MAP_LITERAL) &&
                   (type & lambda & ~SOLO_MAP_MEMBER_OF) == (lambda & ~SOLO_MAP_MEMBER_OF);
    int passed = (type & SOLO_MAP_TARGET_PARAM) && !(type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE));
    if (passed || captured) look_up(w, &p);
    return;
  }
  if (type & (SOLO_MAP_LITERAL | SOLO_MAP_PRIVATE | SOLO_MAP_ATTACH | SOLO_MAP_NON_CONTIGUOUS))
    return;
  if (list->mappers && list->mappers[i]) {
    if (w->needs->with_mapper(&w->construct, list, i, walk_list) != SOLO_OK) return;
    return;
  }
  int update = w->kind == SOLO_TRACE_DATA_UPDATE, member = (type & SOLO_MAP_MEMBER_OF) != 0;
  p.counts = !update && (!member || (type & SOLO_MAP_PTR_AND_OBJ));
  int has_pointer = w->moment != END && !update && (type & SOLO_MAP_PTR_AND_OBJ) &&
                    !(type & SOLO_MAP_RETURN_PARAM);
  if (has_pointer) {
    part pointer = {(uintptr_t)list->bases[i], sizeof(void *), type, NULL, !member};
    look_up(w, &pointer);
  }
  look_up(w, &p);
}

static solo_status walk_list(solo_construct *c, const solo_map_list *list, solo_map_slot *slots) {
  walk *w = (walk *)c;
  (void)slots;
  for (int32_t i = 0; i < list->count; i++)
    walk_entry(w, list, w->moment == END ? list->count - 1 - i : i);
  return SOLO_OK;
}

static void walk_at(walk *w, moment moment, const solo_map_list *list) {
  w->moment = moment;
  (void)walk_list(&w->construct, list, NULL);
}

static int is_lookup(const solo_print_functions *needs) {
  return (bits_of(needs) & (SOLO_INFO_MAPPING_EXISTS | SOLO_INFO_EMPTY_MAPPING)) != 0;
}

static void report_construct(const solo_print_functions *needs, const solo_trace_event *construct,
                             const solo_map_list *list, solo_device *device) {
  if (bits_of(needs) & SOLO_INFO_KERNEL_ARGS) print_arguments(needs, construct, list);
  int ends = construct->kind == SOLO_TRACE_DATA_END;
  if (!is_lookup(needs) || (!ends && construct->kind != SOLO_TRACE_DATA_UPDATE)) return;
  walk w;
  w.construct = (solo_construct){.device = device};
  w.needs = needs;
  w.kind = construct->kind;
  w.creator = 0;
  w.count = 0;
  walk_at(&w, ends ? END : BEGIN, list);
}

static void report_begun(const solo_print_functions *needs, solo_trace_kind kind,
                         const solo_construct *c, const solo_map_list *list) {
  if (!is_lookup(needs)) return;
  walk w;
  w.construct = (solo_construct){.device = c->device};
  w.needs = needs;
  w.kind = kind;
  w.creator = c->id;
  w.count = 0;
  walk_at(&w, BEFORE, list);
  walk_at(&w, BEGIN, list);
  if (kind != SOLO_TRACE_REGION) return;
  walk_at(&w, PARAMETER, list);
  walk_at(&w, END, list);
}

typedef struct table_print {
  const solo_print_functions *needs;
  const char *where;
  int device;
  int rows;
} table_print;

static void print_head(const table_print *print) {
  source_location location;
  print->needs->print(print->device, "OpenMP Host-Device pointer mappings after block at %s:",
                      location_of(print->needs, print->where, 1, &location));
  print->needs->print(print->device, "%-18s %-18s %-8s %-11s %-12s %s", "Host Ptr", "Target Ptr",
                      "Size (B)", "DynRefCount", "HoldRefCount", "Declaration");
}

static void print_row(void *context, solo_index_range range) {
  table_print *print = context;
  const solo_mapping *m = range.value;
  uint64_t count = solo_load_relaxed(&m->count); /* relaxed: a snapshot */
  if (count & SOLO_COUNT_OUT) return;
  if (!print->rows++) print_head(print);
  char dynamic[24] = "INF";
  if ((count & SOLO_COUNT_DYNAMIC) != SOLO_COUNT_DYNAMIC)
    snprintf(dynamic, sizeof dynamic, "%llu",
             (unsigned long long)print->needs->count(m, count, SOLO_REF_DYNAMIC));
  solo_info_variable variable;
  source_location location;
  print->needs->print(
      print->device, "0x%016lx 0x%016llx %-8zu %-11s %-12llu %s at %s", (unsigned long)range.begin,
      /* relaxed: the table is locked */
      (unsigned long long)solo_load_relaxed(&m->device), (size_t)(range.end - range.begin), dynamic,
      (unsigned long long)print->needs->count(m, count, SOLO_REF_HOLD),
      print->needs->variable_of(m->name, &variable),
      location_of(print->needs, m->name, m->name ? 3 - solo_info_variable_field(m->name) : 2,
                  &location));
}

static void report_table(const solo_print_functions *needs, int device, solo_mapping_table *table,
                         const char *where) {
  table_print print = {.needs = needs, .where = where, .device = device};
  needs->each(table, print_row, &print);
  if (!print.rows) needs->print(device, "OpenMP Host-Device pointer mappings table empty");
}

const solo_print_seam solo_print = {report_construct, report_begun, report_table};

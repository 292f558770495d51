/* Selects the execution modes of flang's kernels. flang selects SPMD mode (2) even for a region with
 * serial code, and generic-SPMD mode (3) for `teams distribute` around parallel regions with other
 * code. In these modes each thread would execute the serial code. */
#include "tools/cc_fortran_code.h"

/* Returns the register with the address to which the line writes, other text if it writes to a
 * constant address, or NULL. */
static const char *written_address(const char *line) {
  const char *what = solo_fc_operation(line), *last = NULL;
  if (strstr(what, "call ")) {
    const char *memory = strstr(what, "@llvm.mem"), *first = memory ? strchr(memory, '(') : NULL;
    if (!first) return NULL;
    const char *address = memchr(first, '%', strcspn(first, ","));
    return address ? address : what;
  }
  if (!solo_tool_skip_prefix(what, "store ")) return NULL;
  for (const char *at = what; (at = strstr(at, ", ptr %")); at++) last = at;
  return last ? strchr(last, '%') : what;
}

static bool has_serial_effects(solo_fc_module *m, solo_fc_function *f);

/* Returns whether it matters how many threads execute the line. */
static bool has_effect(solo_fc_module *m, const char *line, const solo_list *own) {
  const char *what = solo_fc_operation(line), *call = strstr(what, "call "),
             *to = written_address(line);
  if (to && (*to != '%' || !solo_list_has(own, solo_fc_name_at(to)))) return true;
  if (solo_tool_skip_prefix(what, "atomicrmw ") || solo_tool_skip_prefix(what, "cmpxchg "))
    return true;
  if (strstr(line, "@__kmpc_parallel_60(")) return false;
  for (const char *at = strchr(what, '@'); at; at = strchr(at + 1, '@')) {
    solo_fc_function *f = solo_fc_function_named(m, solo_fc_name_at(at));
    if (f && (!f->is_internal || has_serial_effects(m, f))) return true;
  }
  if (!call) return false;
  return !strstr(call, " @llvm.") && !strstr(call, " @__kmpc_") && !strstr(call, " @omp_get_") &&
         !solo_fc_function_named(m, solo_fc_name_at(what + strcspn(what, "@")));
}

/* Returns whether f has effects outside of parallel regions and reductions. */
static bool has_serial_effects(solo_fc_module *m, solo_fc_function *f) {
  solo_list own = {0};
  if (f->effects != SOLO_FC_UNKNOWN) return f->effects == SOLO_FC_SOME;
  f->effects = SOLO_FC_NONE; /* for a recursive call */
  for (size_t i = f->begin + 1; i < f->end; i++) {
    const char *line = m->lines.item[i];
    if (!strstr(line, " = alloca ")) continue;
    solo_list addresses = solo_fc_addresses_of(m, f, solo_fc_name_at(strchr(line, '%')));
    solo_list_add_all(&own, &addresses);
  }
  for (size_t i = f->begin + 1; i < f->end; i++) {
    const char *line = m->lines.item[i];
    if (strstr(line, "teams_reduce")) break;
    if (!has_effect(m, line, &own)) continue;
    f->effects = SOLO_FC_SOME;
    break;
  }
  return f->effects == SOLO_FC_SOME;
}

static const char *mode_line(const solo_fc_module *m, const char *kernel) {
  const char *mode = solo_tool_text("%s_exec_mode = ", kernel);
  for (size_t i = 0; i < m->lines.count; i++)
    if (solo_tool_skip_prefix(m->lines.item[i], mode)) return m->lines.item[i];
  return "";
}

static void select_mode(solo_fc_module *m, solo_fc_function *f) {
  const char *mode = mode_line(m, f->name),
             *environment = solo_tool_text("%s_kernel_environment = ", f->name);
  bool is_spmd = strstr(mode, " constant i8 2") && !has_serial_effects(m, f);
  f->is_serial = !is_spmd;
  for (size_t i = 0; !is_spmd && i < m->lines.count; i++) {
    const char *line = m->lines.item[i];
    if (line == mode)
      line = solo_fc_replace(solo_fc_replace(line, " constant i8 2", " constant i8 1"),
                             " constant i8 3", " constant i8 1");
    else if (solo_tool_skip_prefix(line, environment))
      line = solo_fc_replace(solo_fc_replace(line, "{ i8 0, i8 1, i8 2,", "{ i8 1, i8 1, i8 1,"),
                             "{ i8 1, i8 1, i8 3,", "{ i8 1, i8 1, i8 1,");
    m->lines.item[i] = (char *)(uintptr_t)line;
  }
}

void solo_fc_select_modes(solo_fc_module *m) {
  for (size_t i = 0; i < m->count; i++)
    if (m->functions[i].is_kernel) select_mode(m, &m->functions[i]);
}

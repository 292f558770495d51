#include "backends/host/elf/resolve.h"

#include "backends/host/elf/arch.h"
#include "backends/host/elf/tls.h"
#include "backends/host/host_libomp.h"
#include "runtime/exports.h"
#include <string.h>

static void *find(const solo_export *table, uint32_t count, const char *name) {
  const solo_export *found = solo_export_find(table, count, name);
  return found ? found->address : NULL;
}

void *solo_host_export(const char *name) {
  return &solo_exports ? find(solo_exports.sorted, solo_exports.count, name) : NULL;
}

static void *program_symbol(const char *name) {
  if (!&solo_program_symbol_count) return NULL;
  return find(solo_program_symbols, solo_program_symbol_count, name);
}

bool solo_host_resolve(const solo_host_process *process, const char *name, const char *version,
                       solo_host_definition *out) {
  uintptr_t own = strcmp(name, "__tls_get_addr") == 0 ? (uintptr_t)solo_host_elf_tls_get_addr
                                                      : (uintptr_t)solo_host_export(name);
  if (!own) own = solo_host_libomp_wrapper(name);
  if (!own) own = (uintptr_t)program_symbol(name);
  if (!own) return solo_host_process_find(process, name, version, out);
  *out = (solo_host_definition){.address = own};
  return true;
}

uintptr_t solo_host_resolve_function(const solo_host_process *process, const char *name) {
  solo_host_definition d;
  if (!solo_host_resolve(process, name, NULL, &d)) return 0;
  if (!d.object) return d.address;
  unsigned type = ELF64_ST_TYPE(d.symbol.st_info);
  if (type == STT_GNU_IFUNC) return (uintptr_t)solo_host_elf_indirect(d.address);
  return type == STT_TLS ? 0 : d.address;
}

#define _GNU_SOURCE
#include "abi/nowait.h"

#include "abi/policy.h"
#include "abi/tgt_types.h"
#include "runtime/host_threads.h"
#include <link.h>
#include <sched.h>

/* functions of libomp; NULL in programs without host tasks */
extern int32_t __kmpc_global_thread_num(ident_t *loc) SOLO_WEAK;
extern int32_t __kmpc_omp_has_task_team(int32_t gtid) SOLO_WEAK;
extern void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid) SOLO_WEAK;

/* libomp looks up __tgt_target_nowait_query() when it starts. If the look-up fails and a task
 * later has a handle, libomp ends the process. Therefore handles are used only if an object
 * loaded at start exports the function: libsolo.so, or a program with libomptarget.a and
 * -rdynamic. */

typedef struct visibility {
  uintptr_t own;
  int found, exported, early;
} visibility;

static uint32_t gnu_hash(const char *name) {
  uint32_t h = 5381;
  for (; *name; name++) h = h * 33 + (unsigned char)*name;
  return h;
}

static int exports(uintptr_t bias, const ElfW(Dyn) * d, const char *name) {
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  const uint32_t *table = NULL;
  for (; d && d->d_tag != DT_NULL; d++) {
    uintptr_t at = d->d_un.d_ptr < bias ? bias + d->d_un.d_ptr : d->d_un.d_ptr;
    if (d->d_tag == DT_SYMTAB) symbols = (const void *)at;
    if (d->d_tag == DT_STRTAB) strings = (const void *)at;
    if (d->d_tag == DT_GNU_HASH) table = (const void *)at;
  }
  if (!symbols || !strings || !table || !table[0]) return 0;
  const uint32_t *buckets = (const uint32_t *)((const ElfW(Addr) *)(table + 4) + table[2]);
  const uint32_t *chain = buckets + table[0];
  uint32_t hash = gnu_hash(name), i = buckets[hash % table[0]];
  for (; i >= table[1]; i++) {
    uint32_t entry = chain[i - table[1]];
    if ((entry | 1) == (hash | 1) && strcmp(strings + symbols[i].st_name, name) == 0 &&
        symbols[i].st_shndx != SHN_UNDEF)
      return 1;
    if (entry & 1) return 0;
  }
  return 0;
}

static int is_loader_or_libc(const char *path) {
  return path && (strstr(path, "/ld-linux") || strstr(path, "/libc.so"));
}

/* An object was loaded at start if the loader or libc follows it in the list, because dlopen() appends objects. */
static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  visibility *v = context;
  (void)size;
  if (v->found) {
    v->early |= is_loader_or_libc(info->dlpi_name);
    return v->early;
  }
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_DYNAMIC) dynamic = (const void *)start;
    if (p->p_type == PT_LOAD && v->own - start < p->p_memsz) v->found = 1;
  }
  if (v->found) v->exported = exports(info->dlpi_addr, dynamic, "__tgt_target_nowait_query");
  return 0;
}

static int libomp_has_query(void) {
  static _Atomic int known;             /* 0: unknown; 1: no; 2: yes */
  int seen = solo_load_relaxed(&known); /* relaxed: all threads compute the same value */
  if (!seen) {
    visibility v = {.own = (uintptr_t)&known};
    dl_iterate_phdr(visit_object, &v);
    seen = 1 + (v.exported && v.early);
    solo_store_relaxed(&known, seen);
  }
  return seen == 2;
}

static void **libomp_handle_slot(void) {
  if (!__kmpc_omp_get_target_async_handle_ptr || !__kmpc_omp_has_task_team) return NULL;
  if (!libomp_has_query()) return NULL;
  int32_t gtid = __kmpc_global_thread_num(NULL);
  if (gtid < 0 || !__kmpc_omp_has_task_team(gtid)) return NULL;
  return __kmpc_omp_get_target_async_handle_ptr(gtid);
}

void **tgt_handle_slot(void) {
  void **slot = &solo_host_tasks ? solo_host_tasks.handle_slot(__tgt_target_nowait_query)
                                 : libomp_handle_slot();
  return slot && !*slot ? slot : NULL;
}

void __tgt_target_nowait_query(void **handle) {
  if (!handle || !*handle) return;
  solo_nowait_op *nowait = *handle;
  const char *where = solo_nowait_where(nowait);
  solo_status status;
  int reported;
  if (!solo_nowait_query(nowait, &status, &reported)) {
    if (!&solo_host_tasks) sched_yield(); /* libomp calls this function again at once */
    return;
  }
  if (SOLO_UNLIKELY(status != SOLO_OK) && !reported) tgt_failed(status, TGT_NOWAIT, where);
  *handle = NULL;
}

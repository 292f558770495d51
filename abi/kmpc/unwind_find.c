/* _dl_find_object() for static musl programs that link a libgcc_eh.a built for glibc, such as
 * Debian's. A static program is one object; its program headers locate the unwind table. */
#define _GNU_SOURCE
#include "runtime/base/platform.h"

#include <features.h>
#include <link.h>
#include <pthread.h>

#ifndef __GLIBC__

typedef struct found_object {
  unsigned long long flags;
  void *start, *end;
  void *link_map;
  void *eh_frame;
  unsigned long long reserved[7];
} found_object;

typedef struct question {
  uintptr_t address;
  found_object *answer;
} question;

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
  question *q = context;
  uintptr_t low = UINTPTR_MAX, high = 0, table = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_GNU_EH_FRAME) table = start;
    if (p->p_type != PT_LOAD) continue;
    if (start < low) low = start;
    if (start + p->p_memsz > high) high = start + p->p_memsz;
  }
  if (!table || q->address < low || q->address >= high) return 0;
  *q->answer = (found_object){.start = (void *)low, .end = (void *)high, .eh_frame = (void *)table};
  return 1;
}

/* Strong references: libgcc_eh refers to these functions weakly, and a weak reference does not
 * extract an archive member. */
typedef void any_function(void);
static any_function *const needed_by_unwinder[] __attribute__((used)) = {
    (any_function *)pthread_once,         (any_function *)pthread_mutex_lock,
    (any_function *)pthread_mutex_unlock, (any_function *)pthread_key_create,
    (any_function *)pthread_getspecific,  (any_function *)pthread_setspecific,
};

int solo_find_object(void *address, found_object *out) __asm__("_dl_find_object");
SOLO_EXPORT int solo_find_object(void *address, found_object *out) {
  question q = {(uintptr_t)address, out};
  return dl_iterate_phdr(visit_object, &q) ? 0 : -1;
}

#else
typedef int solo_no_empty_unit;
#endif

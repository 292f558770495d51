#define _GNU_SOURCE
#include "backends/host/elf/tls.h"

#include "runtime/base/lock.h"
#include "runtime/base/log.h"
#include <pthread.h>
#include <stdlib.h>

enum { SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, RESERVE_BYTES = 512, RESERVE_ALIGN = 64 };
#define LOADER_MODULE (UINT64_C(1) << 63)

typedef struct block {
  uint64_t module;
  void *data;
  int is_reserve;
} block;

typedef struct thread_blocks {
  uint32_t count;
  block *blocks;
} thread_blocks;

static _Thread_local thread_blocks own_blocks;
/* zero in all threads, because solo_host_elf_tls_fix() places zero-initialised variables here */
static _Thread_local SOLO_ALIGNED(64) unsigned char reserve[RESERVE_BYTES];

static solo_lock tls_lock = SOLO_LOCK_INIT(SOLO_RANK_LEAF); /* guards the following variables */
static solo_host_elf_tls *slots[SLOTS];
static uint64_t next_serial = 1;
static uint64_t reserve_used;
static pthread_key_t thread_end;
static int thread_end_made;

typedef void *get_addr_function(void *);
static _Atomic(get_addr_function *) dynamic_linker_get_addr;

static void free_blocks(void *unused) {
  (void)unused;
  for (uint32_t i = 0; i < own_blocks.count; i++)
    if (!own_blocks.blocks[i].is_reserve) free(own_blocks.blocks[i].data);
  free(own_blocks.blocks);
  own_blocks = (thread_blocks){0};
}

static SOLO_COLD void out_of_memory(void) {
  solo_warn("no memory for the thread-local variables of a CPU image: the process is aborted");
  abort();
}

static void *new_block(const solo_host_elf_tls *tls) {
  if (tls->has_thread_offset)
    return (void *)(solo_thread_pointer() + (uintptr_t)tls->thread_offset);
  size_t align = tls->align < 16 ? 16 : (size_t)tls->align;
  void *data = NULL;
  if (posix_memalign(&data, align, tls->size ? (size_t)tls->size : 1) != 0) out_of_memory();
  memcpy(data, tls->initial, (size_t)tls->initial_size);
  memset((char *)data + tls->initial_size, 0, (size_t)(tls->size - tls->initial_size));
  return data;
}

static void grow(uint32_t slot) {
  uint32_t count = slot + 8;
  block *grown = realloc(own_blocks.blocks, count * sizeof *grown);
  if (!grown) out_of_memory();
  memset(grown + own_blocks.count, 0, (count - own_blocks.count) * sizeof *grown);
  own_blocks.blocks = grown;
  own_blocks.count = count;
}

static SOLO_COLD void *make_block(uint64_t module) {
  uint32_t slot = (uint32_t)(module & (SLOTS - 1));
  if (slot >= own_blocks.count) grow(slot);
  solo_lock_acquire(&tls_lock);
  const solo_host_elf_tls *tls = slots[slot];
  void *data = tls && tls->module == module ? new_block(tls) : NULL;
  int is_reserve = data && tls->has_thread_offset;
  solo_lock_release(&tls_lock);
  if (!data) {
    solo_warn("access to a thread-local variable of a CPU image that has been unloaded: the "
              "process is aborted");
    abort();
  }
  /* ensures that the key's destructor, free_blocks(), is called */
  pthread_setspecific(thread_end, &own_blocks);
  block *b = &own_blocks.blocks[slot];
  if (!b->is_reserve) free(b->data); /* the data belonged to an unloaded image */
  *b = (block){module, data, is_reserve};
  return data;
}

SOLO_ARCH_GENERAL_REGISTERS void *solo_host_elf_tls_find(solo_host_elf_tls_index *index) {
  uint64_t module = index->module;
  uint32_t slot = (uint32_t)(module & (SLOTS - 1));
  if (!(module & LOADER_MODULE) || slot >= own_blocks.count ||
      own_blocks.blocks[slot].module != module)
    return NULL;
  return (char *)own_blocks.blocks[slot].data + index->offset + SOLO_ARCH_DTV_OFFSET;
}

void *solo_host_elf_tls_get_addr(solo_host_elf_tls_index *index) {
  uint64_t module = index->module;
  /* Invariant: dynamic_linker_get_addr is set before an image contains a module number of the
   *            dynamic linker.
   * Ordering:  this acquire pairs with the release in solo_host_elf_tls_forward().
   * Otherwise: this function would call NULL.
   */
  if (SOLO_UNLIKELY(!(module & LOADER_MODULE)))
    return solo_load_acquire(&dynamic_linker_get_addr)(index);
  uint32_t slot = (uint32_t)(module & (SLOTS - 1));
  char *data = SOLO_LIKELY(slot < own_blocks.count && own_blocks.blocks[slot].module == module)
                   ? own_blocks.blocks[slot].data
                   : make_block(module);
  return data + index->offset + SOLO_ARCH_DTV_OFFSET;
}

solo_status solo_host_elf_tls_add(solo_host_elf_tls *tls) {
  solo_status status = SOLO_OK;
  solo_lock_acquire(&tls_lock);
  uint32_t slot = 0;
  while (slot < SLOTS && slots[slot]) slot++;
  if (slot == SLOTS) {
    status = solo_fail(SOLO_UNSUPPORTED,
                       "more than %d CPU images with thread-local variables are loaded", SLOTS);
  } else if (!thread_end_made && pthread_key_create(&thread_end, free_blocks) != 0) {
    status = solo_fail(SOLO_NOMEM, "no thread-specific key is left for thread-local variables of "
                                   "CPU images (PTHREAD_KEYS_MAX)");
  } else {
    thread_end_made = 1;
    tls->module = LOADER_MODULE | next_serial++ << SLOT_BITS | slot;
    slots[slot] = tls;
  }
  solo_lock_release(&tls_lock);
  return status;
}

void solo_host_elf_tls_remove(solo_host_elf_tls *tls) {
  if (!tls->module) return;
  solo_lock_acquire(&tls_lock);
  slots[tls->module & (SLOTS - 1)] = NULL;
  solo_lock_release(&tls_lock);
  tls->module = 0;
}

static bool is_zero(const unsigned char *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (bytes[i]) return false;
  return true;
}

/* Returns whether the reserve is in the program's TLS area. There its distance from the thread
 * pointer is the same in every thread. */
static bool reserve_is_fixed(const solo_host_process *process) {
  if (!process->count) return false;
  const solo_host_object *program = &process->objects[0];
  uintptr_t offset = (uintptr_t)reserve - (uintptr_t)program->tls_data;
  return program->tls_data && offset < program->tls_size;
}

solo_status solo_host_elf_tls_fix(solo_host_elf_tls *tls, const solo_host_process *process) {
  if (tls->has_thread_offset) return SOLO_OK;
  static const char advice[] = "compile the device code without -ftls-model=initial-exec";
  if (!reserve_is_fixed(process))
    return solo_fail(
        SOLO_UNSUPPORTED,
        "the image's thread-local variables are of the initial-exec model, which works "
        "only where the runtime is part of the program itself: %s, or link statically",
        advice);
  if (!is_zero(tls->initial, tls->initial_size))
    return solo_fail(SOLO_UNSUPPORTED,
                     "the image's thread-local variables are of the initial-exec model and have "
                     "initial values, which running threads cannot get: %s",
                     advice);
  solo_status status = SOLO_OK;
  solo_lock_acquire(&tls_lock);
  uint64_t align = tls->align ? tls->align : 1;
  uint64_t start = (reserve_used + align - 1) & ~(align - 1);
  if (align > RESERVE_ALIGN || start > RESERVE_BYTES || tls->size > RESERVE_BYTES - start) {
    status = solo_fail(SOLO_UNSUPPORTED,
                       "the image's thread-local variables are of the initial-exec model and need "
                       "%llu bytes; %llu bytes of the reserve for such variables are left: %s",
                       (unsigned long long)tls->size,
                       (unsigned long long)(RESERVE_BYTES - reserve_used), advice);
  } else {
    reserve_used = start + tls->size; /* not reused, because other threads may have written to it */
    tls->thread_offset = (int64_t)((uintptr_t)reserve + start - solo_thread_pointer());
    tls->has_thread_offset = 1;
  }
  solo_lock_release(&tls_lock);
  return status;
}

solo_status solo_host_elf_tls_forward(const solo_host_process *process) {
  solo_host_definition d;
  if (!solo_host_process_find(process, "__tls_get_addr", NULL, &d))
    return solo_fail(SOLO_UNSUPPORTED,
                     "the image uses a thread-local variable of the program, and "
                     "this process has no dynamic linker, which would be needed to find it");
  /* pairs with the acquire load in solo_host_elf_tls_get_addr() */
  solo_store_release(&dynamic_linker_get_addr, (get_addr_function *)d.address);
  return SOLO_OK;
}

solo_status solo_host_elf_tls_distance(const solo_host_definition *definition, int64_t *out) {
  const solo_host_object *o = definition->object;
  if (!o || !o->is_program || !o->tls_data)
    return solo_fail(SOLO_UNSUPPORTED,
                     "initial-exec access to a thread-local variable of %s, whose place differs "
                     "between threads: compile the device code without -ftls-model=initial-exec",
                     o && *o->path ? o->path : "the program");
  *out = (int64_t)((uintptr_t)o->tls_data + definition->symbol.st_value - solo_thread_pointer());
  return SOLO_OK;
}

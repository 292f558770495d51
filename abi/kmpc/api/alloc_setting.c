/* OMP_ALLOCATOR (OpenMP 5.2, 21.5.1): a predefined allocator, or a memory space with traits. Only
 * api/alloc.c calls the parser, so that programs without allocators do not link this file. */
#include "abi/include/omp.h"
#include "abi/kmpc/env/icv.h"
#include "runtime/base/lock.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct word {
  const char *name;
  omp_uintptr_t value;
} word;

#define WORD(name)                                                                                 \
  { #name, name }
static const word allocators[] = {WORD(omp_default_mem_alloc),
                                  WORD(omp_large_cap_mem_alloc),
                                  WORD(omp_const_mem_alloc),
                                  WORD(omp_high_bw_mem_alloc),
                                  WORD(omp_low_lat_mem_alloc),
                                  WORD(omp_cgroup_mem_alloc),
                                  WORD(omp_pteam_mem_alloc),
                                  WORD(omp_thread_mem_alloc),
                                  WORD(llvm_omp_target_host_mem_alloc),
                                  WORD(llvm_omp_target_shared_mem_alloc),
                                  WORD(llvm_omp_target_device_mem_alloc)};
static const word spaces[] = {WORD(omp_default_mem_space),
                              WORD(omp_large_cap_mem_space),
                              WORD(omp_const_mem_space),
                              WORD(omp_high_bw_mem_space),
                              WORD(omp_low_lat_mem_space),
                              WORD(llvm_omp_target_host_mem_space),
                              WORD(llvm_omp_target_shared_mem_space),
                              WORD(llvm_omp_target_device_mem_space)};
#undef WORD

#define TRAIT(name)                                                                                \
  { #name, omp_atk_##name }
static const word of_numbers[] = {TRAIT(alignment), TRAIT(pool_size), TRAIT(part_size),
                                  TRAIT(pin_device), TRAIT(preferred_device)};
static const word of_allocators[] = {TRAIT(fb_data)};
static const word of_words[] = {TRAIT(sync_hint),     TRAIT(access),      TRAIT(fallback),
                                TRAIT(pinned),        TRAIT(partition),   TRAIT(device_access),
                                TRAIT(target_access), TRAIT(atomic_scope)};
#undef TRAIT
#define VALUE(name)                                                                                \
  { #name, omp_atv_##name }
static const word values[] = {
    VALUE(default),     VALUE(false),        VALUE(true),           VALUE(contended),
    VALUE(uncontended), VALUE(private),      VALUE(serialized),     VALUE(sequential),
    VALUE(all),         VALUE(memspace),     VALUE(device),         VALUE(thread),
    VALUE(pteam),       VALUE(cgroup),       VALUE(default_mem_fb), VALUE(null_fb),
    VALUE(abort_fb),    VALUE(allocator_fb), VALUE(environment),    VALUE(nearest),
    VALUE(blocked),     VALUE(interleaved),  VALUE(single),         VALUE(multiple)};
#undef VALUE

#define FIND(text, words, out) find(text, words, sizeof(words) / sizeof *(words), out)

typedef struct piece {
  const char *begin;
  size_t length;
} piece;

/* Removes the part of the text before the separator (or the whole text), and returns it without
 * surrounding blanks. */
static piece next_piece(piece *text, char separator) {
  const char *end = text->length ? memchr(text->begin, separator, text->length) : NULL;
  piece p = {text->begin, end ? (size_t)(end - text->begin) : text->length};
  size_t consumed = p.length + (end != NULL);
  text->begin += consumed;
  text->length -= consumed;
  while (p.length && strchr(" \t", *p.begin)) p.begin++, p.length--;
  while (p.length && strchr(" \t", p.begin[p.length - 1])) p.length--;
  return p;
}

static int find(piece p, const word *words, size_t count, omp_uintptr_t *out) {
  for (size_t i = 0; i < count; i++)
    if (strlen(words[i].name) == p.length && strncasecmp(words[i].name, p.begin, p.length) == 0) {
      *out = words[i].value;
      return 1;
    }
  return 0;
}

static int number(piece p, omp_uintptr_t *out) {
  omp_uintptr_t value = 0;
  for (size_t i = 0; i < p.length; i++) {
    unsigned digit = (unsigned char)p.begin[i] - '0';
    if (digit > 9 || value > (UINTPTR_MAX - digit) / 10) return 0;
    value = value * 10 + digit;
  }
  *out = value;
  return p.length > 0;
}

static int trait_of(piece text, omp_alloctrait_t *out) {
  piece key = next_piece(&text, '='), value = next_piece(&text, '\0');
  omp_uintptr_t which;
  int is_right;
  if (FIND(key, of_numbers, &which))
    is_right = number(value, &out->value);
  else if (FIND(key, of_allocators, &which))
    is_right = FIND(value, allocators, &out->value);
  else if (FIND(key, of_words, &which))
    is_right = FIND(value, values, &out->value);
  else
    return 0;
  out->key = (omp_alloctrait_key_t)which;
  return is_right;
}

/* Returns omp_null_allocator for an invalid text. */
static omp_allocator_handle_t parse(const char *setting) {
  enum { MOST = 16 };
  omp_alloctrait_t traits[MOST];
  piece text = {setting, strlen(setting)}, name = next_piece(&text, ':');
  int has_traits = setting[strcspn(setting, ":")] == ':', count = 0;
  omp_uintptr_t found;
  if (!has_traits && FIND(name, allocators, &found)) return (omp_allocator_handle_t)found;
  if (!FIND(name, spaces, &found)) return omp_null_allocator;
  for (int is_more = has_traits; is_more; count++) {
    is_more = text.length && memchr(text.begin, ',', text.length) != NULL;
    if (count == MOST || !trait_of(next_piece(&text, ','), &traits[count]))
      return omp_null_allocator;
  }
  return omp_init_allocator((omp_memspace_handle_t)found, count, traits);
}

uint64_t solo_kmp_allocator_setting(void) {
  static solo_lock lock = SOLO_LOCK_INIT(SOLO_RANK_SETTINGS);
  static _Atomic(uint64_t) known;
  uint64_t handle = solo_load_acquire(&known); /* pairs with the store below */
  if (SOLO_LIKELY(handle != 0)) return handle;
  const char *setting = solo_kmp_config()->allocator;
  solo_lock_acquire(&lock);
  handle = solo_load_relaxed(&known);
  if (!handle) {
    if (setting) handle = (uint64_t)parse(setting);
    if (setting && !handle)
      solo_kmp_warn("OMP_ALLOCATOR=\"%s\" is not understood (a predefined allocator, or a "
                    "memory space with traits); used instead: omp_default_mem_alloc",
                    setting);
    if (!handle) handle = omp_default_mem_alloc;
    /* pairs with the load above: the allocator is complete */
    solo_store_release(&known, handle);
  }
  solo_lock_release(&lock);
  return handle;
}

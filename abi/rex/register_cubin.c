/* Registers image files for programs that REX compiled (include/rex_kmp.h). */
#define REX_KMP_INTERNAL
#define _GNU_SOURCE
#include "abi/include/rex_kmp.h"

#include "abi/include/solo.h"
#include "runtime/base/atomic.h"
#include "runtime/base/platform.h"
#include "runtime/base/settings.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern struct __tgt_offload_entry __start_omp_offloading_entries[] SOLO_WEAK
    __attribute__((visibility("hidden")));
extern struct __tgt_offload_entry __stop_omp_offloading_entries[] SOLO_WEAK
    __attribute__((visibility("hidden")));

typedef struct registered {
  struct registered *next;
  solo_registration *registration;
  char name[];
} registered;

SOLO_EXPORT struct __tgt_bin_desc *__cubin_desc;
SOLO_EXPORT ident_t rex_target_kernel_ident = {0, 2, 0, 22, ";unknown;unknown;0;0;;"};

/* Guards `all`. It has no lock rank, because its holder acquires locks of the core. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(registered *) all;

/* Returns the name from the environment, else `programs`. secure_getenv(3) ignores the environment of set-user-ID programs. */
static const char *chosen_name(const char *programs) {
  const char *name = secure_getenv(SOLO_REX_IMAGE_VARIABLE);
  return name && *name ? name : programs;
}

static void print_warning(const char *what, const char *name) {
  fprintf(stderr, "solo: error: rex: %s%s%s\n", what, name ? " " : "", name ? name : "");
}

static registered *make(const char *name) {
  solo_failure failure;
  if (&__start_omp_offloading_entries[0] == &__stop_omp_offloading_entries[0]) {
    print_warning(
        "this program has no offload entries (its section omp_offloading_entries is empty or was "
        "stripped), so no region could find its kernel in",
        name);
    return NULL;
  }
  size_t size = strlen(name) + 1;
  registered *r = malloc(sizeof *r + size);
  if (!r) {
    print_warning("no memory to register", name);
    return NULL;
  }
  memcpy(r->name, name, size);
  if (solo_register_file(name, __start_omp_offloading_entries, __stop_omp_offloading_entries,
                         &r->registration)) {
    solo_last_error(&failure);
    print_warning(failure.text, NULL);
    free(r);
    return NULL;
  }
  r->next = solo_load_relaxed(&all); /* relaxed: under the lock */
  /* after all members of r are written; pairs with the acquire load in is_ready */
  solo_store_release(&all, r);
  return r;
}

SOLO_EXPORT struct __tgt_bin_desc *register_cubin(const char *filename) {
  const char *name = filename ? filename : chosen_name(REX_CUBIN_NAME);
  pthread_mutex_lock(&lock);
  registered *r = solo_load_relaxed(&all);
  while (r && strcmp(r->name, name) != 0) r = r->next;
  if (!r) r = make(name);
  struct __tgt_bin_desc *descriptor = r ? (struct __tgt_bin_desc *)(void *)r->registration : NULL;
  if (descriptor) __cubin_desc = descriptor;
  pthread_mutex_unlock(&lock);
  return descriptor;
}

SOLO_EXPORT void rex_offload_init(void) {
  (void)register_cubin(NULL);
}

SOLO_EXPORT void rex_offload_init_file(const char *filename) {
  (void)register_cubin(chosen_name(filename));
}

SOLO_EXPORT void rex_offload_fini(void) {
  pthread_mutex_lock(&lock);
  registered *r = solo_exchange_acq_rel(&all, NULL); /* pairs with is_ready */
  __cubin_desc = NULL;
  while (r) {
    registered *next = r->next;
    solo_unregister(r->registration);
    free(r);
    r = next;
  }
  pthread_mutex_unlock(&lock);
}

static int is_ready(void) {
  if (solo_load_acquire(&all)) return 1; /* pairs with the release store in make */
  return register_cubin(NULL) != NULL;
}

SOLO_EXPORT int rex___tgt_target(REX_REGION_) {
  return is_ready() ? rex_direct___tgt_target(device_id, host_ptr, arg_num, args_base, args,
                                              arg_sizes, arg_types)
                    : -1;
}

SOLO_EXPORT int rex___tgt_target_teams(REX_REGION_, int32_t num_teams, int32_t thread_limit) {
  return is_ready() ? rex_direct___tgt_target_teams(device_id, host_ptr, arg_num, args_base, args,
                                                    arg_sizes, arg_types, num_teams, thread_limit)
                    : -1;
}

SOLO_EXPORT int rex___tgt_target_kernel(REX_KERNEL_) {
  return is_ready() ? rex_direct___tgt_target_kernel(device_id, num_teams, thread_limit, host_ptr,
                                                     kernel_args)
                    : -1;
}

SOLO_EXPORT void rex___tgt_target_data_begin(REX_DATA_) {
  if (is_ready())
    rex_direct___tgt_target_data_begin(device_id, arg_num, args_base, args, arg_sizes, arg_types);
}

SOLO_EXPORT void rex___tgt_target_data_end(REX_DATA_) {
  if (is_ready())
    rex_direct___tgt_target_data_end(device_id, arg_num, args_base, args, arg_sizes, arg_types);
}

SOLO_EXPORT void rex___tgt_target_data_update(REX_DATA_) {
  if (is_ready())
    rex_direct___tgt_target_data_update(device_id, arg_num, args_base, args, arg_sizes, arg_types);
}

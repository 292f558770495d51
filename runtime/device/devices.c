#define _GNU_SOURCE
#include "runtime/device/devices.h"

#include "runtime/base/debug.h"
#include "runtime/base/early.h"
#include "runtime/base/settings.h"
#include "runtime/device/fork.h"
#include "runtime/device/fptr.h"
#include "runtime/device/kernel.h"
#include "runtime/device/load.h"
#include "runtime/device/pool.h"
#include "runtime/device/queue_pool.h"
#include "runtime/device/thread_cache.h"
#include "runtime/device/work.h"
#include "runtime/image/image.h"
#include "runtime/trace/observer.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_BACKENDS = 8 };

_Atomic(void (*)(solo_device *)) solo_device_closing;

/* The next three variables are guarded by solo_device_numbering. */
static _Atomic uint64_t counted_generation;
/* 1: the backend's devices are numbered, or the program has an image for the backend but no
 * device */
static int backend_taken[MAX_BACKENDS];
/* reason why the backend has no devices; NULL: no error */
static char *backend_reason[MAX_BACKENDS];

typedef struct interest {
  const solo_backend *backend;
  int recognised;
} interest;

static solo_status recognise(void *context, const solo_image *image) {
  interest *i = context;
  i->recognised |= SOLO_OP(i->backend, image_recognise)(image);
  return SOLO_OK;
}

/* Text of the first error about an unreadable image; NULL: none. */
static char *unread_image;

/* Returns whether the backend is used: an image is for it (*by_image is set to 1), or no library is
 * registered. */
static int is_wanted(const solo_backend *backend, int *by_image) {
  interest i = {.backend = backend};
  int any = 0;
  solo_library *library = solo_registry_next(NULL);
  while (library && !i.recognised) {
    any = 1;
    for (size_t k = 0; k < library->source.image_count && !i.recognised; k++) {
      solo_span bytes = library->source.read_image(library->source.images, k);
      if (solo_image_visit(bytes, recognise, &i) != SOLO_OK && !unread_image)
        unread_image = strdup(solo_error_last()->text);
    }
    if (i.recognised) break;
    library = solo_registry_next(library);
  }
  solo_registry_release(library);
  *by_image = i.recognised;
  return i.recognised || !any;
}

static void number_devices(const solo_backend *backend, char **reason) {
  int count = 0;
  solo_status status = solo_backend_check(backend);
  if (status == SOLO_OK) status = SOLO_OP(backend, device_count)(&count);
  if (status != SOLO_OK) {
    *reason = strdup(solo_error_last()->text);
    count = 0;
  }
  int known = solo_load_relaxed(&solo_devices_numbered); /* relaxed: lock held */
  for (int i = 0; i < count && known < SOLO_MAX_DEVICES; i++) {
    solo_device *device = solo_early_allocate(sizeof *device);
    if (!device) {
      *reason = strdup("no host memory to describe its devices");
      break;
    }
    device->number = known;
    solo_lock_init(&device->lock, SOLO_RANK_DEVICE);
    solo_lock_init(&device->pool.lock, SOLO_RANK_POOL);
    device->ordinal = i;
    device->backend = backend;
    solo_devices[known++] = device;
  }
  /* Invariant: an entry below solo_devices_numbered is initialised.
   * Ordering:  pairs with the acquire loads in solo_device_is_ready() and solo_device_count().
   * Otherwise: a reader could use a NULL device.
   */
  solo_store_release(&solo_devices_numbered, known);
}

static void find_devices(void) {
  /* pairs with solo_registry_add */
  uint64_t generation = solo_load_acquire(&solo_registry_generation);
  if (solo_load_acquire(&counted_generation) == generation)
    return; /* pairs with the release below */
  solo_fork_devices();
  solo_fork_begin_thread();
  solo_lock_acquire(&solo_device_numbering);
  for (int b = 0; b < solo_backend_count && b < MAX_BACKENDS; b++) {
    int by_image, before = solo_load_relaxed(&solo_devices_numbered); /* relaxed: lock held */
    if (!solo_backends[b] || backend_taken[b] || !is_wanted(solo_backends[b], &by_image)) continue;
    free(backend_reason[b]);
    backend_reason[b] = NULL;
    number_devices(solo_backends[b], &backend_reason[b]);
    /* After the next registration, a backend without image and devices is searched again. */
    backend_taken[b] = by_image || solo_load_relaxed(&solo_devices_numbered) > before;
  }
  solo_store_release(&counted_generation, generation); /* pairs with the acquire above */
  solo_lock_release(&solo_device_numbering);
}

int solo_device_count(void) {
  find_devices();
  return solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices */
}

solo_device *solo_device_at(int number) {
  return number >= 0 && number < solo_device_count() ? solo_devices[number] : NULL;
}

static void reclaim_block(void *device, solo_block *block) {
  solo_pool_free(device, block);
}

static solo_status open_device(solo_device *device) {
  const solo_settings_table *settings = solo_settings();
  SOLO_TRY(SOLO_OP(device->backend, device_open)(device->ordinal, device->number, &device->handle,
                                                 &device->info));
  if (!(device->info.flags & SOLO_DEVICE_SURVIVES_FORK)) solo_fork_install_handlers();
  solo_device_watch_work(device);
  uint64_t requirements;
  /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): only the requirements are needed here */
  solo_status status = solo_registry_requirements(&requirements);
  device->described = 0;
  device->synchronous = (device->info.flags & SOLO_DEVICE_SYNCHRONOUS) != 0;
  device->unified = (device->info.flags & SOLO_DEVICE_SHARED_MEMORY) != 0;
  device->pool_threshold =
      device->info.flags & SOLO_DEVICE_EXACT_BLOCKS ? 0 : settings->pool_threshold;
  device->pool_large = device->synchronous && device->pool_threshold ? SOLO_POOL_LARGE : 0;
  /* ignores the error, because solo_device_prepare() reports inconsistent requires clauses */
  status = SOLO_OK;
  if (requirements & SOLO_REQUIRES_UNIFIED_SHARED_MEMORY) {
    if (device->info.flags & SOLO_DEVICE_UNIFIED_ADDRESSES)
      device->unified = 1;
    else
      status =
          solo_fail(SOLO_UNSUPPORTED,
                    "device %d (%s) lacks unified_shared_memory, which the program requires%s%s",
                    device->number, device->info.name, device->info.unified_hint ? ": " : "",
                    device->info.unified_hint ? device->info.unified_hint : "");
  }
  if (status == SOLO_OK) status = solo_mapping_table_open(&device->mappings, reclaim_block, device);
  if (status == SOLO_OK)
    status = SOLO_OP(device->backend, queue_open)(device->handle, &device->shared_queue);
  if (status != SOLO_OK) {
    solo_mapping_table_close(&device->mappings);
    SOLO_OP(device->backend, device_close)(device->handle);
    device->handle = NULL;
  }
  return status;
}

const solo_device_info *solo_device_describe(solo_device *device) {
  solo_device_lock(device);
  if (!device->described)
    solo_backend_device_describe(device->backend, device->handle, &device->info);
  device->described = 1;
  solo_lock_release(&device->lock);
  return &device->info;
}

static void load_data(solo_device *device) {
  for (solo_library *l = solo_registry_next(NULL); l; l = solo_registry_next(l)) {
    solo_library_scan(l);
    solo_module *module;
    /* The module stores the error of a failed load. The first kernel of the library reports it. */
    if (l->has_data && solo_module_get(device, l, &module) != SOLO_OK) continue;
  }
}

solo_status solo_device_prepare(solo_device *device) {
  solo_status status = SOLO_OK;
  uint64_t generation =
      solo_load_acquire(&solo_registry_generation); /* pairs with solo_registry_add */
  solo_device_lock(device);
  if (!device->handle && device->open_status == SOLO_OK) {
    solo_trace_event event = {
        .kind = SOLO_TRACE_OPEN, .device = device->number, .peer = device->number};
    solo_observe_begin_any(&event);
    status = open_device(device);
    event.name = device->backend->name;
    (void)solo_observe_end_any(&event, status);
    if (status != SOLO_OK) {
      device->open_status = status;
      device->open_error = solo_error_save_on_heap();
    }
  } else if (device->open_status != SOLO_OK) {
    status = solo_error_restore_or_fail(device->open_error, device->open_status);
  }
  uint64_t requirements;
  if (status == SOLO_OK) status = solo_registry_requirements(&requirements);
  if (status == SOLO_OK) {
    load_data(device);
    /* Invariant: the data of all libraries of this generation is loaded.
     * Ordering:  pairs with the acquire load in solo_device_ready().
     * Otherwise: a region could execute without its globals.
     */
    solo_store_release(&device->ready_generation, generation);
  } else {
    solo_error_set_device(device->number);
  }
  solo_lock_release(&device->lock);
  return status;
}

/* Returns why a backend has no device, without the backend's name, which the caller prints. */
static const char *why_not(int b) {
  size_t name = strlen(solo_backends[b]->name);
  if (backend_reason[b] && strncmp(backend_reason[b], solo_backends[b]->name, name) == 0 &&
      backend_reason[b][name] == ':')
    return backend_reason[b] + name + 2;
  return backend_reason[b]   ? backend_reason[b]
         : !backend_taken[b] ? "the program has no image for it"
                             : "no device";
}

static void describe_missing(char *text, size_t size) {
  text[0] = 0;
#ifndef SOLO_CPU_ONLY
  for (int b = 0; b < solo_backend_count && b < MAX_BACKENDS && !text[0]; b++)
    if (solo_backends[b] && backend_taken[b] && !backend_reason[b])
      solo_backend_device_missing(solo_backends[b], text, size);
#else
  (void)size;
#endif
}

solo_status solo_device_get_slow(int64_t number, solo_device **out_device) {
  int count = solo_device_count();
  if (number < 0 || number >= count) {
    if (count == 0) {
      char why[SOLO_ERROR_TEXT - 64] = "";
      if (unread_image) snprintf(why, sizeof why, "an image cannot be read: %.400s", unread_image);
      for (int b = 0; b < solo_backend_count && b < MAX_BACKENDS; b++) {
        size_t used = strlen(why);
        if (solo_backends[b] && used + 16 < sizeof why)
          snprintf(why + used, sizeof why - used, "%s%s: %.*s", used ? "; " : "",
                   solo_backends[b]->name, (int)(sizeof why - used - 16), why_not(b));
      }
      return solo_fail(SOLO_UNAVAILABLE, "there is no device (%s)" SOLO_SEE("no-device"), why);
    }
    char missing[SOLO_ERROR_TEXT - 128];
    describe_missing(missing, sizeof missing);
    return solo_fail(SOLO_NOT_FOUND,
                     "device number %lld is out of range: there %s %d device%s (0 to %d)%s%s",
                     (long long)number, count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
                     count - 1, missing[0] ? "; missing: " : "", missing);
  }
  solo_device *device = solo_devices[number];
  if (!solo_device_ready(device)) SOLO_TRY(solo_device_prepare(device));
  *out_device = device;
  return SOLO_OK;
}

void solo_device_explain(FILE *out) {
  int count = solo_device_count();
  for (int b = 0; b < solo_backend_count && b < MAX_BACKENDS; b++) {
    if (!solo_backends[b]) continue;
    fprintf(out, "backend %s: %s\n", solo_backends[b]->name,
            backend_reason[b]   ? backend_reason[b]
            : !backend_taken[b] ? "not used (the program has no image for it)"
                                : "in use");
  }
  char missing[SOLO_ERROR_TEXT];
  describe_missing(missing, sizeof missing);
  if (missing[0]) fprintf(out, "missing: %s\n", missing);
  if (unread_image) fprintf(out, "an image cannot be read: %s\n", unread_image);
  for (int i = 0; i < count; i++) {
    solo_device *device = solo_devices[i];
    solo_device *ready;
    if (solo_device_get(i, &ready) != SOLO_OK) {
      fprintf(out, "device %d: %s %d: not usable: %s\n", i, device->backend->name, device->ordinal,
              solo_error_last()->text);
      continue;
    }
    const char *where = device->info.where;
    fprintf(out, "device %d: %s (%s, %s)%s%s\n", i, solo_device_describe(device)->name,
            device->backend->name, device->info.arch, where[0] ? ": " : "", where);
    solo_device_lock(device);
    solo_library *l = solo_registry_next(NULL);
    for (int k = 1; l; l = solo_registry_next(l), k++) {
      solo_module *module;
      solo_status status = solo_module_get(device, l, &module);
      fprintf(out, "  library %d: %zu entries, %zu image%s: %s\n", k, l->source.entry_count,
              l->source.image_count, l->source.image_count == 1 ? "" : "s",
              status == SOLO_OK ? "loaded" : solo_error_last()->text);
    }
    solo_lock_release(&device->lock);
  }
  if (!count) fprintf(out, "no device\n");
}

static void for_each_module(const void *key, void (*act)(solo_device *, solo_module *)) {
  int count = solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices */
  for (int i = 0; i < count; i++) {
    solo_device *device = solo_devices[i];
    /* Enqueued nowait constructs may use the module. Pairs with make_device in construct/nowait.c. */
    if (solo_load_acquire(&device->nowait)) device->nowait_drain(device);
    solo_device_lock(device);
    solo_module *module = device->modules;
    while (module && module->library->source.key != key) module = module->next;
    if (module) act(device, module);
    solo_lock_release(&device->lock);
  }
}

void solo_device_unload_library(solo_library *library) {
  for_each_module(library->source.key, solo_module_unload);
  solo_registry_dispose(library);
}

void solo_device_run_destructors(const void *key) {
  for_each_module(key, solo_module_run_destructors);
}

void solo_device_close_all(void) {
  int count = solo_load_acquire(&solo_devices_numbered); /* pairs with number_devices */
  for (int i = 0; i < count; i++) {
    solo_device *device = solo_devices[i];
    if (!device->handle) continue;
    void (*closing)(solo_device *) =
        solo_load_acquire(&solo_device_closing); /* pairs with open_stream (abi/rtl) */
    if (closing) closing(device);
    /* pairs with make_device in construct/nowait.c */
    if (solo_load_acquire(&device->nowait)) device->nowait_close(device);
    while (device->modules) solo_module_unload(device, device->modules);
    solo_kernel_free_all(device);
    solo_fptr_close(device);
    solo_mapping_table_close(&device->mappings);
    solo_pool_drain(device);
    solo_thread_cache_close(device);
    solo_queue_pool_close(device);
    if (device->shared_queue)
      SOLO_OP(device->backend, queue_close)(device->handle, device->shared_queue);
    solo_device_report_work(device);
    SOLO_OP(device->backend, device_close)(device->handle);
    device->handle = NULL;
    device->shared_queue = NULL;
    /* the next use of the device opens it again; pairs with solo_device_ready */
    solo_store_release(&device->ready_generation, 0);
  }
}

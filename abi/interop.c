#include "abi/interop.h"

#include "abi/depend.h"
#include "abi/include/omp.h"
#include "abi/policy.h"
#include "runtime/backend_call.h"
#include "runtime/device/queue.h"
#include "runtime/device/queue_pool.h"
#include <stdlib.h>

typedef struct completion {
  struct completion *next;
  tgt_interop_callback *function;
  void *data;
} completion;

struct tgt_interop {
  solo_device *device;
  solo_queue_lease *lease; /* queue of the object; NULL: no targetsync */
  int number;
  int targetsync;
  int borrowed; /* nonzero: the caller of tgt_interop_make() owns the queue */
  completion *completions;
};

static solo_status make(int32_t type, int64_t number, tgt_interop **out) {
  tgt_interop *interop = calloc(1, sizeof *interop);
  if (!interop) return solo_fail(SOLO_NOMEM, "no memory for an interop object");
  solo_status status = SOLO_DISABLED;
  interop->targetsync = type >= TGT_INTEROP_TARGETSYNC;
  interop->number = omp_get_initial_device();
  if (number != interop->number) status = tgt_get_device(number, &interop->device);
  if (status == SOLO_OK) {
    interop->number = interop->device->number;
    if (interop->targetsync) status = solo_queue_lease_acquire(interop->device, &interop->lease);
  } else if (status == SOLO_DISABLED) {
    status = SOLO_OK;
  }
  if (status == SOLO_OK)
    *out = interop;
  else
    free(interop);
  return status;
}

/* Also calls and removes the completion callbacks. */
static solo_status wait_for(tgt_interop *interop) {
  solo_status status = SOLO_OK;
  if (interop->lease && !solo_queue_is_stale(interop->lease))
    status = solo_queue_sync(interop->device, interop->lease->queue, NULL);
  while (interop->completions) {
    completion *c = interop->completions;
    interop->completions = c->next;
    c->function(interop, c->data);
    free(c);
  }
  return status;
}

static solo_status dispose(tgt_interop *interop) {
  solo_status status = wait_for(interop);
  if (interop->lease && !interop->borrowed) solo_queue_lease_release(interop->lease);
  free(interop);
  return status;
}

solo_status tgt_interop_queue(const tgt_interop *interop, solo_device **out_device,
                              solo_queue_lease **out_lease) {
  if (!interop || !interop->device)
    return solo_fail(SOLO_INVALID, "interop object %p belongs to no device", (const void *)interop);
  *out_device = interop->device;
  *out_lease = interop->lease;
  return SOLO_OK;
}

solo_status tgt_interop_make(solo_device *device, solo_queue_lease *lease,
                             tgt_interop **out_interop) {
  tgt_interop *interop = calloc(1, sizeof *interop);
  if (!interop) return solo_fail(SOLO_NOMEM, "no memory for an interop object");
  *interop = (tgt_interop){
      .device = device, .lease = lease, .number = device->number, .targetsync = 1, .borrowed = 1};
  *out_interop = interop;
  return SOLO_OK;
}

static void report(ident_t *loc, solo_status status) {
  if (status != SOLO_OK) tgt_failed(status, TGT_SETUP, loc ? loc->psource : NULL);
}

void __tgt_interop_init(ident_t *loc, int32_t gtid, tgt_interop **out, int32_t type, int32_t device,
                        int32_t count, void *depends, int32_t nowait) {
  (void)gtid, (void)nowait;
  tgt_wait_dependences(loc, count, depends, 0, NULL);
  *out = NULL;
  report(loc, make(type, device, out));
}

/* Waits even with nowait, because later work of the program must follow the foreign work. */
void __tgt_interop_use(ident_t *loc, int32_t gtid, tgt_interop **interop, int32_t device,
                       int32_t count, void *depends, int32_t nowait) {
  (void)gtid, (void)device, (void)nowait;
  tgt_wait_dependences(loc, count, depends, 0, NULL);
  if (interop && *interop) report(loc, wait_for(*interop));
}

void __tgt_interop_destroy(ident_t *loc, int32_t gtid, tgt_interop **interop, int32_t device,
                           int32_t count, void *depends, int32_t nowait) {
  (void)gtid, (void)device, (void)nowait;
  tgt_wait_dependences(loc, count, depends, 0, NULL);
  if (interop && *interop) report(loc, dispose(*interop));
  if (interop) *interop = NULL;
}

static void wait_list(ident_t *loc, const tgt_interop_dependences *d) {
  if (d) tgt_wait_dependences(loc, d->count, d->list, d->noalias_count, d->noalias_list);
}

tgt_interop *__tgt_interop_get(ident_t *loc, int32_t type, int64_t device, int32_t preference_count,
                               tgt_interop_preference *preferences, tgt_interop_context *context,
                               tgt_interop_dependences *dependences) {
  (void)preference_count, (void)preferences; /* ignored: a device has at most one foreign runtime */
  (void)context;
  tgt_interop *interop = NULL;
  wait_list(loc, dependences);
  /* Compilers pass 1 for target, but libomptarget 22 interprets 1 as targetsync. A targetsync
   * object is suitable for both. */
  report(loc, make(type >= 1 ? TGT_INTEROP_TARGETSYNC : TGT_INTEROP_TARGET, device, &interop));
  return interop;
}

static int use(ident_t *loc, tgt_interop *interop, tgt_interop_dependences *dependences,
               solo_status (*how)(tgt_interop *)) {
  wait_list(loc, dependences);
  solo_status status = interop ? how(interop) : SOLO_INVALID;
  if (interop) report(loc, status);
  return status == SOLO_OK ? 0 : -1;
}

int __tgt_interop_use60(ident_t *loc, tgt_interop *interop, tgt_interop_context *context,
                        tgt_interop_dependences *dependences) {
  (void)context;
  return use(loc, interop, dependences, wait_for);
}

int __tgt_interop_release(ident_t *loc, tgt_interop *interop, tgt_interop_context *context,
                          tgt_interop_dependences *dependences) {
  (void)context;
  return use(loc, interop, dependences, dispose);
}

int __tgt_target_sync(ident_t *loc, int32_t gtid, void *task, void *event) {
  (void)loc, (void)gtid, (void)task, (void)event;
  return 0;
}

int ompx_interop_add_completion_callback(tgt_interop *interop, tgt_interop_callback *function,
                                         void *data) {
  if (!interop || !function) return -1;
  completion *c = malloc(sizeof *c), **end = &interop->completions;
  if (!c) return -1;
  *c = (completion){NULL, function, data};
  while (*end) end = &(*end)->next;
  *end = c;
  return 0;
}

static const struct {
  const char *name;
  int type;
} properties[] = {
    [-omp_ipr_fr_id] = {"fr_id", omp_irc_type_int},
    [-omp_ipr_fr_name] = {"fr_name", omp_irc_type_str},
    [-omp_ipr_vendor] = {"vendor", omp_irc_type_int},
    [-omp_ipr_vendor_name] = {"vendor_name", omp_irc_type_str},
    [-omp_ipr_device_num] = {"device_num", omp_irc_type_int},
    [-omp_ipr_platform] = {"platform", omp_irc_type_ptr},
    [-omp_ipr_device] = {"device", omp_irc_type_ptr},
    [-omp_ipr_device_context] = {"device_context", omp_irc_type_ptr},
    [-omp_ipr_targetsync] = {"targetsync", omp_irc_type_ptr},
};

static const solo_foreign_runtime no_runtime = {0, 0, NULL, "unknown", NULL};

static const solo_foreign_runtime *foreign(const tgt_interop *interop) {
  const solo_foreign_runtime *known = interop->device ? interop->device->info.foreign : NULL;
  return known ? known : &no_runtime;
}

/* Returns the C type of an integer device handle; NULL: the handle is a pointer. As with LLVM's libomptarget, a program may
 * also read an integer handle with omp_get_interop_ptr(). */
static const char *integer_type(const tgt_interop *interop, int property) {
  return property == omp_ipr_device ? foreign(interop)->device_type : NULL;
}

static int check(const tgt_interop *interop, int property, int type) {
  if (!interop) return omp_irc_empty;
  if (property > omp_ipr_fr_id || property < omp_ipr_targetsync) return omp_irc_out_of_range;
  if (type == omp_irc_type_int && integer_type(interop, property)) return omp_irc_success;
  return properties[-property].type == type ? omp_irc_success : properties[-property].type;
}

static void set_result(int *rc, int value) {
  if (rc) *rc = value;
}

SOLO_EXPORT int omp_get_num_interop_properties(const omp_interop_t interop) {
  (void)interop;
  return 0;
}

SOLO_EXPORT omp_intptr_t omp_get_interop_int(const omp_interop_t object,
                                             omp_interop_property_t property, int *rc) {
  const tgt_interop *interop = object;
  int result = check(interop, property, omp_irc_type_int);
  intptr_t value = 0;
  if (result == omp_irc_success) {
    if (property == omp_ipr_device_num)
      value = interop->number;
    else if (property == omp_ipr_vendor)
      value = foreign(interop)->vendor;
    else if (property == omp_ipr_device)
      value = (intptr_t)omp_get_interop_ptr(object, omp_ipr_device, &result);
    else
      value = foreign(interop)->id;
    if (property == omp_ipr_fr_id && !value) result = omp_irc_no_value;
  }
  set_result(rc, result);
  return value;
}

SOLO_EXPORT const char *omp_get_interop_str(const omp_interop_t object,
                                            omp_interop_property_t property, int *rc) {
  const tgt_interop *interop = object;
  int result = check(interop, property, omp_irc_type_str);
  const char *text = NULL;
  if (result == omp_irc_success) {
    text = property == omp_ipr_fr_name ? foreign(interop)->name : foreign(interop)->vendor_name;
    if (!text) result = omp_irc_no_value;
  }
  set_result(rc, result);
  return text;
}

SOLO_EXPORT void *omp_get_interop_ptr(const omp_interop_t object, omp_interop_property_t property,
                                      int *rc) {
  const tgt_interop *interop = object;
  int result = check(interop, property, omp_irc_type_ptr);
  void *value = NULL;
  if (result == omp_irc_success) {
    solo_native_kind kind = property == omp_ipr_targetsync ? SOLO_NATIVE_QUEUE
                            : property == omp_ipr_device   ? SOLO_NATIVE_DEVICE
                                                           : SOLO_NATIVE_CONTEXT;
    const solo_device *d = interop->device;
    int exists =
        d && property != omp_ipr_platform && (property != omp_ipr_targetsync || interop->lease);
    solo_bqueue *queue = interop->lease ? interop->lease->queue : NULL;
    if (!exists ||
        solo_backend_native_handle(d->backend, d->handle, queue, kind, &value) != SOLO_OK)
      result = omp_irc_no_value;
  }
  set_result(rc, result);
  return value;
}

SOLO_EXPORT const char *omp_get_interop_name(const omp_interop_t interop,
                                             omp_interop_property_t property) {
  return interop && property <= omp_ipr_fr_id && property >= omp_ipr_targetsync
             ? properties[-property].name
             : NULL;
}

SOLO_EXPORT const char *omp_get_interop_type_desc(const omp_interop_t interop,
                                                  omp_interop_property_t property) {
  if (!interop || property > omp_ipr_fr_id || property < omp_ipr_targetsync) return NULL;
  const char *integer = integer_type(interop, property);
  if (integer) return integer;
  switch (properties[-property].type) {
  case omp_irc_type_int:
    return "omp_intptr_t";
  case omp_irc_type_str:
    return "const char *";
  default:
    return "void *";
  }
}

SOLO_EXPORT const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t rc) {
  (void)interop;
  switch (rc) {
  case omp_irc_no_value:
    return "the property has no meaningful value";
  case omp_irc_success:
    return "successful";
  case omp_irc_empty:
    return "the object is omp_interop_none";
  case omp_irc_out_of_range:
    return "the property is out of range";
  case omp_irc_type_int:
    return "the property is of an integer type; use omp_get_interop_int";
  case omp_irc_type_ptr:
    return "the property is of a pointer type; use omp_get_interop_ptr";
  case omp_irc_type_str:
    return "the property is of a string type; use omp_get_interop_str";
  default:
    return "other error";
  }
}

extern const char *omp_get_interop_rec_desc(const omp_interop_t interop, omp_interop_rc_t rc);
SOLO_EXPORT const char *omp_get_interop_rec_desc(const omp_interop_t interop, omp_interop_rc_t rc) {
  return omp_get_interop_rc_desc(interop, rc);
}

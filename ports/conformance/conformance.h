/* The conformance suite over runtime/backend.h: what an adapter gives, what a case uses.
 *
 * A program is the suite, one adapter (conf_adapter) and a backend. Each case runs in a process of
 * its own, forked before any driver is started: a crash or a hang is a verdict, not an accident.
 *
 * Threads: checks may come from any thread. Errors: a failed CONF_CHECK fails the case and goes on,
 * a failed CONF_MUST ends it.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "ports/conformance/kernels.h"
#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include <setjmp.h>
#include <stddef.h>

/* --- the adapter ------------------------------------------------------------------------------ */

typedef enum conf_image_choice {
  CONF_IMAGE_KERNELS, /* the kernels of kernels.h */
  CONF_IMAGE_FOREIGN, /* recognised by nobody here: another device's */
  CONF_IMAGE_MISFIT,  /* recognised, but this device cannot run it: score 0 */
  CONF_IMAGE_CORRUPT, /* module_load must refuse it */
} conf_image_choice;

typedef struct conf_listed {
  const char *name;   /* of a case, "event/graph" */
  const char *reason; /* one sentence for the report card */
} conf_listed;

typedef struct conf_adapter {
  const char *name;
  const solo_backend *backend;
  /* Sets the environment up; before anything of solo or the driver runs. May be NULL. */
  void (*prepare)(void);
  /* Makes an image known; 0: there is none of this choice (its cases are skipped). Bytes live on.
   */
  int (*image)(conf_image_choice choice, solo_image *out);
  /* The nth fallible driver call from now on returns "out of memory" (lost: the device goes away);
   * nth 0 disarms. NULL: the driver cannot be told to fail. */
  void (*fail_call)(int nth, int lost);
  /* Was the failure last armed delivered? NULL: one that is delivered never leaves all well. */
  int (*failure_delivered)(void);
  /* Nonzero: after a device was lost and closed the next one that is opened works. */
  int comes_back;
  /* Objects of the driver that are alive; NULL: not known. */
  long (*live_objects)(void);
  /* Permanently impossible here; and known bugs. Both are run: a pass is a failure. End: {0}. */
  const conf_listed *unsupported;
  const conf_listed *expected_failures;
  /* What needs a process of its own (--here leaves them out unless it is given one by name). */
  const conf_listed *alone;
} conf_adapter;

extern const conf_adapter conf_adapter_chosen;

/* --- cases ------------------------------------------------------------------------------------ */

typedef struct conf_case {
  const char *name;
  void (*run)(void);
  size_t optional; /* offsetof the operation in solo_backend; 0: required */
} conf_case;

#define CONF_OPTIONAL(operation) offsetof(solo_backend, operation)

extern const conf_case conf_cases_probe[], conf_cases_module[], conf_cases_memory[],
    conf_cases_queue[], conf_cases_launch[], conf_cases_event[], conf_cases_errors[],
    conf_cases_threads[];

/* The device under test, opened by conf_open. */
typedef struct conf_context {
  const solo_backend *b;
  solo_bdevice *device;
  solo_device_info info;
  solo_image image;
  solo_bmodule *module;
  solo_bkernel *empty, *affine, *slow;
} conf_context;

extern conf_context conf;
extern _Atomic int conf_failures; /* of this process */

#define CONF_CHECK(condition) ((condition) ? 1 : conf_failed(__FILE__, __LINE__, #condition))
#define CONF_MUST(condition)                                                                       \
  ((void)((condition) || (conf_failed(__FILE__, __LINE__, #condition), conf_stop(), 0)))
#define CONF_OK(call) conf_is_ok(__FILE__, __LINE__, #call, call)
/* The call fails with this status and leaves a text. */
#define CONF_FAILS(call, status) conf_fails(__FILE__, __LINE__, #call, call, status)
#define CONF_EQUAL(actual, expected)                                                               \
  conf_equal(__FILE__, __LINE__, #actual, (uint64_t)(actual), (uint64_t)(expected))

/* Where a case is left to that runs in the process of all (main.c, --here); NULL: in its own. */
extern jmp_buf *conf_runner;
extern char conf_why[256]; /* what it said then */
void conf_run_here(const conf_case *c);

int conf_failed(const char *file, int line, const char *what);
void conf_is_ok(const char *file, int line, const char *what, solo_status status); /* or stop */
int conf_fails(const char *file, int line, const char *what, solo_status status, solo_status want);
int conf_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected);
_Noreturn void conf_stop(void);
_Noreturn void conf_skip(const char *why);       /* does not apply here */
_Noreturn void conf_not_there(const char *what); /* an optional operation says UNSUPPORTED */

/* Opens device 0, loads the kernels. conf_close closes, and checks that nothing is left. */
void conf_open(void);
void conf_close(void);
int conf_is_asynchronous(void);

solo_bqueue *conf_queue(void);
void conf_queue_done(solo_bqueue *queue); /* syncs (must be OK) and closes */
solo_bevent *conf_event(void);
solo_bkernel *conf_kernel(const char *name);
solo_devptr conf_alloc(uint64_t bytes);
void conf_free(solo_devptr address);
solo_devptr conf_cell(uint64_t value); /* a block of 8 bytes */
uint64_t conf_value(solo_devptr cell); /* through a queue of its own */
void conf_launch(solo_bqueue *queue, solo_bkernel *kernel, int slots, ...); /* uint64_t each */
solo_status conf_try_launch(solo_bqueue *queue, solo_bkernel *kernel, uint32_t teams,
                            uint32_t threads, const uint64_t *slots, uint32_t bytes);
uint64_t conf_random(uint64_t *state);
uint64_t conf_host(const void *pointer); /* a host address as queue_copy takes it */

/* Allocations and mutexes of the calling thread so far (count.c). */
extern _Thread_local uint64_t conf_allocations, conf_mutexes;

#endif

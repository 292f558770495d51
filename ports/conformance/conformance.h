/* The conformance suite for runtime/backend.h: interface of adapters and cases. A program consists
 * of the suite, an adapter (conf_adapter) and a backend. Each case runs in a process that is forked
 * before a driver starts. A failed CONF_CHECK fails the case; a failed CONF_MUST also ends it. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "ports/conformance/kernels.h"
#include "runtime/backend_call.h"
#include "runtime/base/lock.h"
#include <setjmp.h>
#include <stddef.h>

typedef enum conf_image_choice {
  CONF_IMAGE_KERNELS,
  CONF_IMAGE_FOREIGN, /* for another device: must not be recognised */
  CONF_IMAGE_MISFIT,  /* recognised, but with score 0 */
  CONF_IMAGE_CORRUPT, /* module_load must reject it */
} conf_image_choice;

typedef struct conf_listed {
  const char *name;
  const char *reason;
} conf_listed;

typedef struct conf_adapter {
  const char *name;
  const solo_backend *backend;
  void (*prepare)(void);
  /* The bytes stay valid. Returns 0 if the adapter lacks such an image. */
  int (*image)(conf_image_choice choice, solo_image *out);
  /* Makes the nth driver call from now on fail with "out of memory" (lost nonzero: "device lost").
   * nth 0 cancels. NULL: unsupported. */
  void (*fail_call)(int nth, int lost);
  /* Returns whether the requested failure occurred. NULL: each failure changes a result. */
  int (*failure_delivered)(void);
  /* Nonzero: a device can be opened after a loss. */
  int comes_back;
  /* Number of existing driver objects; NULL: unknown. */
  long (*live_objects)(void);
  /* Cases that must fail: unsupported operations; known bugs. The last element is {0}. */
  const conf_listed *unsupported;
  const conf_listed *expected_failures;
  /* With --here, these cases run only if the command line names them. */
  const conf_listed *alone;
} conf_adapter;

extern const conf_adapter conf_adapter_chosen;

typedef struct conf_case {
  const char *name;
  void (*run)(void);
  size_t optional; /* offset of the optional operation; 0: none */
} conf_case;

#define CONF_OPTIONAL(operation) offsetof(solo_backend, operation)

extern const conf_case conf_cases_probe[], conf_cases_module[], conf_cases_memory[],
    conf_cases_queue[], conf_cases_launch[], conf_cases_event[], conf_cases_errors[],
    conf_cases_threads[];

typedef struct conf_context {
  const solo_backend *b;
  solo_bdevice *device;
  solo_device_info info;
  solo_image image;
  solo_bmodule *module;
  solo_bkernel *empty, *affine, *slow;
} conf_context;

extern conf_context conf;
extern _Atomic int conf_failures;

#define CONF_CHECK(condition) ((condition) ? 1 : conf_failed(__FILE__, __LINE__, #condition))
#define CONF_MUST(condition)                                                                       \
  ((void)((condition) || (conf_failed(__FILE__, __LINE__, #condition), conf_stop(), 0)))
#define CONF_OK(call) conf_is_ok(__FILE__, __LINE__, #call, call)
/* Requires that the call fails with this status and sets an error text. */
#define CONF_FAILS(call, status) conf_fails(__FILE__, __LINE__, #call, call, status)
#define CONF_EQUAL(actual, expected)                                                               \
  conf_equal(__FILE__, __LINE__, #actual, (uint64_t)(actual), (uint64_t)(expected))

/* With --here: longjmp target at the end of a case, and the reason of the end. */
extern jmp_buf *conf_runner;
extern char conf_why[256];
void conf_run_in_process(const conf_case *c);

int conf_failed(const char *file, int line, const char *what);
/* Ends the case if status is not SOLO_OK. */
void conf_is_ok(const char *file, int line, const char *what, solo_status status);
int conf_fails(const char *file, int line, const char *what, solo_status status, solo_status want);
int conf_equal(const char *file, int line, const char *what, uint64_t actual, uint64_t expected);
_Noreturn void conf_stop(void);
_Noreturn void conf_skip(const char *why);
_Noreturn void conf_report_unsupported(const char *what);

void conf_open(void);
void conf_close(void);
int conf_is_asynchronous(void);

solo_bqueue *conf_queue(void);
void conf_queue_done(solo_bqueue *queue);
solo_bevent *conf_event(void);
solo_bkernel *conf_kernel(const char *name);
solo_devptr conf_alloc(uint64_t bytes);
void conf_free(solo_devptr address);
solo_devptr conf_cell(uint64_t value);
uint64_t conf_value(solo_devptr cell);
void conf_launch(solo_bqueue *queue, solo_bkernel *kernel, int slots, ...);
solo_status conf_try_launch(solo_bqueue *queue, solo_bkernel *kernel, uint32_t teams,
                            uint32_t threads, const uint64_t *slots, uint32_t bytes);
uint64_t conf_random(uint64_t *state);
uint64_t conf_host(const void *pointer);

/* Counts of this thread (count.c). */
extern _Thread_local uint64_t conf_allocations, conf_mutexes;

#endif

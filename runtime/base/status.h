/* Status codes, and the error record of each thread. A function that can fail returns solo_status.
 * The record has the details of the thread's last failure. abi/policy.c determines whether an error
 * is printed.
 *
 * A thread allocates its text buffer at its first failure, to save thread-local storage in static
 * programs. If this allocation fails, only the text is lost. */
#ifndef SOLO_BASE_STATUS_H
#define SOLO_BASE_STATUS_H

#include "runtime/base/platform.h"
#include <stdarg.h>

#define SOLO_STATUS_MAP(XX)                                                                        \
  XX(OK, "ok")                                                                                     \
  XX(INVALID, "invalid argument")                                                                  \
  XX(NOMEM, "out of host memory")                                                                  \
  XX(DEVICE_NOMEM, "out of device memory")                                                         \
  XX(NOT_FOUND, "not found")                                                                       \
  XX(UNSUPPORTED, "not supported")                                                                 \
  XX(UNAVAILABLE, "not available on this machine")                                                 \
  XX(BAD_IMAGE, "malformed image")                                                                 \
  XX(INCOMPATIBLE, "image does not fit the device")                                                \
  XX(OVERLAP, "overlap would extend a mapping")                                                    \
  XX(NOT_PRESENT, "not present on the device")                                                     \
  XX(DEVICE_LOST, "device lost")                                                                   \
  XX(KERNEL_FAULT, "kernel failed on the device")                                                  \
  XX(IO, "input/output error")                                                                     \
  XX(DISABLED, "offloading is disabled")                                                           \
  XX(INTERNAL, "internal error")

typedef enum solo_status {
#define XX(name, text) SOLO_##name,
  SOLO_STATUS_MAP(XX)
#undef XX
      SOLO_STATUS_COUNT
} solo_status;

/* The end of a message: names a section of docs/troubleshooting.md. */
#define SOLO_SEE(section) "\n  see: solo-info --explain " section

const char *solo_status_name(solo_status status);
const char *solo_status_text(solo_status status);

enum { SOLO_ERROR_TEXT = 768 };

typedef struct solo_error {
  solo_status status;
  int device;       /* global number; -1: none */
  int vendor_code;  /* CUresult, hsa_status_t or errno; 0: none */
  const char *text; /* without a newline at the end; never NULL */
} solo_error;

typedef struct solo_saved_error {
  solo_status status;
  int device;
  int vendor_code;
  char text[SOLO_ERROR_TEXT];
} solo_saved_error;

const solo_error *solo_error_last(void);

void solo_error_clear(void);

/* Save copies the record. Restore sets it on the calling thread and returns its status. */
void solo_error_save(solo_saved_error *out) SOLO_COLD;
solo_status solo_error_restore(const solo_saved_error *kept) SOLO_COLD;
/* The same for failures that later calls report again. The caller frees the heap copy. If kept is
 * NULL (no memory), restore_or_fail records `status` with its default text. */
solo_saved_error *solo_error_save_on_heap(void) SOLO_COLD;
solo_status solo_error_restore_or_fail(const solo_saved_error *kept, solo_status status) SOLO_COLD;

solo_status solo_fail(solo_status status, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;
solo_status solo_fail_vendor(solo_status status, int vendor_code, const char *format, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;

#ifdef __clang_analyzer__ /* the analyzer does not see other files, so macros show it the return value */
#define solo_fail(status, ...)        ((void)(solo_fail)(status, __VA_ARGS__), (status))
#define solo_fail_vendor(status, ...) ((void)(solo_fail_vendor)(status, __VA_ARGS__), (status))
#endif

void solo_error_note(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;
/* Sets the device of the recorded failure and returns the failure's status. */
solo_status solo_error_set_device(int device) SOLO_COLD;

#define SOLO_TRY(expression)                                                                       \
  do {                                                                                             \
    solo_status solo_try_status_ = (expression);                                                   \
    if (SOLO_UNLIKELY(solo_try_status_ != SOLO_OK)) return solo_try_status_;                       \
  } while (0)

#endif

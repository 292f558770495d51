/* Status codes and the per-thread error record.
 *
 * A function that can fail returns solo_status; SOLO_OK is 0. The details (what, on which device,
 * image or variable, at which source line, what to do) go into a record of the calling thread that
 * the next failure on that thread overwrites. No output: whether and where an error is shown is
 * abi/policy.c's decision.
 *
 * A thread gets room for texts at its first failure (the first thread to fail without the heap),
 * so that programs without failures pay for a few words of thread-local storage only: in a static
 * program with musl these then need no memory of their own (tests/programs/startup.sh). A thread
 * that gets none loses the text, not the status.
 *
 * Threads: the record is thread-local. Ownership: text pointers handed out live until the thread's
 * next failure.
 */
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

/* The name without prefix ("DEVICE_NOMEM") and the text of a status. Never NULL. */
const char *solo_status_name(solo_status status);
const char *solo_status_text(solo_status status);

enum { SOLO_ERROR_TEXT = 768 };

typedef struct solo_error {
  solo_status status;
  int device;       /* global device number, -1: none involved */
  int vendor_code;  /* CUresult, hsa_status_t, errno; 0: none */
  const char *text; /* what failed and what to do; no newline at the end; never NULL */
} solo_error;

/* A record that outlives the thread's next failure. */
typedef struct solo_kept_error {
  solo_status status;
  int device;
  int vendor_code;
  char text[SOLO_ERROR_TEXT];
} solo_kept_error;

/* The calling thread's last failure (status SOLO_OK: none yet). */
const solo_error *solo_error_last(void);

void solo_error_clear(void);

/* Copies the last failure out; makes a kept one, of any thread, the last failure again and returns
 * its status. */
void solo_error_keep(solo_kept_error *out) SOLO_COLD;
solo_status solo_error_again(const solo_kept_error *kept) SOLO_COLD;
/* The same in heap memory, for failures that are reported again at each later call. Without memory NULL is
 * kept, and only the status is reported. */
solo_kept_error *solo_error_kept(void) SOLO_COLD;
solo_status solo_error_reported(const solo_kept_error *kept, solo_status status) SOLO_COLD;

/* Records a failure and returns status, so that one can write: return solo_fail(...); */
solo_status solo_fail(solo_status status, const char *format, ...) SOLO_PRINTF(2, 3) SOLO_COLD;
solo_status solo_fail_vendor(solo_status status, int vendor_code, const char *format, ...)
    SOLO_PRINTF(3, 4) SOLO_COLD;

#ifdef __clang_analyzer__ /* it looks into one file at a time: tells it what these return */
#define solo_fail(status, ...)        ((void)(solo_fail)(status, __VA_ARGS__), (status))
#define solo_fail_vendor(status, ...) ((void)(solo_fail_vendor)(status, __VA_ARGS__), (status))
#endif

/* Appends to the last record's text: where the caller knows more than the place that failed
 * (variable, source line, device). Keeps the status. */
void solo_error_note(const char *format, ...) SOLO_PRINTF(1, 2) SOLO_COLD;
/* Returns the last record's status. */
solo_status solo_error_set_device(int device) SOLO_COLD;

#define SOLO_TRY(expression)                                                                       \
  do {                                                                                             \
    solo_status solo_try_status_ = (expression);                                                   \
    if (SOLO_UNLIKELY(solo_try_status_ != SOLO_OK)) return solo_try_status_;                       \
  } while (0)

#endif

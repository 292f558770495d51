/* Results: pairs of code and text. Equal results share a text that is never freed, so a result
 * stays valid. If there are too many different texts, later results have the text of their code. */
#include "abi/offload/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256, MOST = 4096 };

typedef struct result {
  ol_error_struct_t error; /* first member: the result */
  struct result *next;
  char text[];
} result;

pthread_mutex_t ol_results_lock = PTHREAD_MUTEX_INITIALIZER;
static result *buckets[BUCKETS];
static int known;

_Thread_local const ol_code_location_t *ol_location;

#define CODE(code, text) [code] = {code, text}
static const ol_error_struct_t plain[OL_ERRC_LAST] = {
    CODE(OL_ERRC_UNKNOWN, "unknown or internal error"),
    CODE(OL_ERRC_HOST_IO, "input/output error on the host"),
    CODE(OL_ERRC_INVALID_BINARY, "malformed image, or an image for another device"),
    CODE(OL_ERRC_INVALID_NULL_POINTER, "a pointer is NULL"),
    CODE(OL_ERRC_INVALID_ARGUMENT, "invalid argument"),
    CODE(OL_ERRC_NOT_FOUND, "not found"),
    CODE(OL_ERRC_OUT_OF_RESOURCES, "out of memory or other resources"),
    CODE(OL_ERRC_INVALID_SIZE, "invalid size"),
    CODE(OL_ERRC_INVALID_ENUMERATION, "invalid enumerator"),
    CODE(OL_ERRC_HOST_TOOL_NOT_FOUND, "a program on the host was not found"),
    CODE(OL_ERRC_INVALID_VALUE, "invalid value"),
    CODE(OL_ERRC_UNIMPLEMENTED, "not implemented"),
    CODE(OL_ERRC_UNSUPPORTED, "not supported by the device"),
    CODE(OL_ERRC_ASSEMBLE_FAILURE, "the assembler failed"),
    CODE(OL_ERRC_COMPILE_FAILURE, "the compiler failed"),
    CODE(OL_ERRC_LINK_FAILURE, "the linker failed"),
    CODE(OL_ERRC_BACKEND_FAILURE, "the device or its driver failed"),
    CODE(OL_ERRC_UNINITIALIZED, "not initialised: call olInit first"),
    CODE(OL_ERRC_INVALID_NULL_HANDLE, "a handle is NULL"),
    CODE(OL_ERRC_INVALID_PLATFORM, "invalid platform"),
    CODE(OL_ERRC_INVALID_DEVICE, "invalid device"),
    CODE(OL_ERRC_INVALID_QUEUE, "invalid queue"),
    CODE(OL_ERRC_INVALID_EVENT, "invalid event"),
    CODE(OL_ERRC_SYMBOL_KIND, "the operation does not support this kind of symbol"),
};

static ol_result_t shared(ol_errc_t code, const char *text) {
  unsigned hash = (unsigned)code;
  size_t length = strlen(text);
  for (size_t i = 0; i < length; i++) hash = hash * 31 + (unsigned char)text[i];
  result **link = &buckets[hash % BUCKETS];
  pthread_mutex_lock(&ol_results_lock);
  while (*link && ((*link)->error.Code != code || strcmp((*link)->text, text) != 0))
    link = &(*link)->next;
  result *r = *link;
  if (!r && known < MOST && (r = malloc(sizeof *r + length + 1)) != NULL) {
    memcpy(r->text, text, length + 1);
    r->error = (ol_error_struct_t){code, r->text};
    r->next = NULL;
    *link = r;
    known++;
  }
  pthread_mutex_unlock(&ol_results_lock);
  return r ? &r->error : &plain[code];
}

ol_result_t ol_fail(ol_errc_t code, const char *format, ...) {
  char text[SOLO_ERROR_TEXT + 256];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  const ol_code_location_t *l = ol_location;
  if (l && n >= 0 && (size_t)n < sizeof text)
    snprintf(text + n, sizeof text - (size_t)n, " (%s at %s:%u)",
             l->FunctionName ? l->FunctionName : "called", l->SourceFile ? l->SourceFile : "?",
             l->LineNumber);
  return shared(code, text);
}

ol_result_t ol_failed(solo_status status) {
  static const ol_errc_t codes[SOLO_STATUS_COUNT] = {
      [SOLO_INVALID] = OL_ERRC_INVALID_ARGUMENT,
      [SOLO_NOMEM] = OL_ERRC_OUT_OF_RESOURCES,
      [SOLO_DEVICE_NOMEM] = OL_ERRC_OUT_OF_RESOURCES,
      [SOLO_NOT_FOUND] = OL_ERRC_NOT_FOUND,
      [SOLO_UNSUPPORTED] = OL_ERRC_UNSUPPORTED,
      [SOLO_UNAVAILABLE] = OL_ERRC_BACKEND_FAILURE,
      [SOLO_BAD_IMAGE] = OL_ERRC_INVALID_BINARY,
      [SOLO_INCOMPATIBLE] = OL_ERRC_INVALID_BINARY,
      [SOLO_DEVICE_LOST] = OL_ERRC_BACKEND_FAILURE,
      [SOLO_KERNEL_FAULT] = OL_ERRC_BACKEND_FAILURE,
      [SOLO_IO] = OL_ERRC_HOST_IO,
      [SOLO_DISABLED] = OL_ERRC_UNSUPPORTED,
  };
  solo_failure failure;
  solo_last_error(&failure);
  ol_errc_t code = status < SOLO_STATUS_COUNT && codes[status] ? codes[status] : OL_ERRC_UNKNOWN;
  if (failure.status != (int)status || !failure.text || !failure.text[0]) return &plain[code];
  return ol_fail(code, "%s", failure.text);
}

ol_result_t ol_uninitialised(void) {
  return &plain[OL_ERRC_UNINITIALIZED];
}

ol_result_t ol_null_handle(const char *name) {
  return ol_fail(OL_ERRC_INVALID_NULL_HANDLE, "argument %s is a null handle", name);
}

ol_result_t ol_null_pointer(const char *name) {
  return ol_fail(OL_ERRC_INVALID_NULL_POINTER, "argument %s is NULL", name);
}

ol_result_t ol_bad_handle(ol_errc_t code, const char *kind, const void *handle) {
  return ol_fail(code, "argument %s: %p is not a handle of this kind, or its object was destroyed",
                 kind, handle);
}

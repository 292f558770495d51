#include "runtime/base/status.h"

#include "runtime/base/atomic.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local solo_error last = {.device = -1, .text = ""};

/* Text buffer of this thread; NULL: none yet. One thread at a time uses first_text_buffer; other
 * threads allocate theirs. */
static _Thread_local char *own_text;
static char first_text_buffer[SOLO_ERROR_TEXT];
static _Atomic int first_text_buffer_used;
static pthread_key_t at_thread_end;
static int has_key; /* 0: no key was available; buffers are not freed when the thread ends */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void release_text_buffer(void *buffer) {
  own_text = NULL; /* later destructors may record errors */
  last.text = "";
  if (buffer ==
      first_text_buffer) /* pairs with acquire_text_buffer: writes to the buffer precede its reuse */
    solo_store_release(&first_text_buffer_used, 0);
  else
    free(buffer);
}

static void make_key(void) {
  has_key = pthread_key_create(&at_thread_end, release_text_buffer) == 0;
}

static SOLO_COLD char *acquire_text_buffer(void) {
  int expected = 0;
  char *buffer = first_text_buffer;
  /* acquire: pairs with release_text_buffer */
  if (!solo_cas_acquire(&first_text_buffer_used, &expected, 1)) buffer = malloc(SOLO_ERROR_TEXT);
  if (!buffer) return NULL;
  pthread_once(&key_once, make_key);
  if (has_key) pthread_setspecific(at_thread_end, buffer);
  own_text = buffer;
  return buffer;
}

static const char *const names[SOLO_STATUS_COUNT] = {
#define XX(name, text) #name,
    SOLO_STATUS_MAP(XX)
#undef XX
};

static const char *const texts[SOLO_STATUS_COUNT] = {
#define XX(name, text) text,
    SOLO_STATUS_MAP(XX)
#undef XX
};

const char *solo_status_name(solo_status status) {
  return (unsigned)status < SOLO_STATUS_COUNT ? names[status] : "UNKNOWN";
}

const char *solo_status_text(solo_status status) {
  return (unsigned)status < SOLO_STATUS_COUNT ? texts[status] : "unknown status";
}

const solo_error *solo_error_last(void) {
  return &last;
}

static void set(solo_status status, int vendor_code, int device) {
  last = (solo_error){
      .status = status, .device = device, .vendor_code = vendor_code, .text = own_text};
  if (!own_text) last.text = acquire_text_buffer();
  if (!last.text) last.text = solo_status_text(status);
}

void solo_error_clear(void) {
  last = (solo_error){.status = SOLO_OK, .device = -1, .text = ""};
}

void solo_error_save(solo_saved_error *out) {
  out->status = last.status;
  out->device = last.device;
  out->vendor_code = last.vendor_code;
  snprintf(out->text, sizeof out->text, "%s", last.text);
}

solo_status solo_error_restore(const solo_saved_error *kept) {
  if (kept->status == SOLO_OK) {
    solo_error_clear();
    return SOLO_OK;
  }
  set(kept->status, kept->vendor_code, kept->device);
  if (own_text) memcpy(own_text, kept->text, SOLO_ERROR_TEXT);
  return kept->status;
}

solo_saved_error *solo_error_save_on_heap(void) {
  solo_saved_error *kept = malloc(sizeof *kept);
  if (kept) solo_error_save(kept);
  return kept;
}

solo_status solo_error_restore_or_fail(const solo_saved_error *kept, solo_status status) {
  return kept ? solo_error_restore(kept) : solo_fail(status, "%s", solo_status_text(status));
}

static solo_status record(solo_status status, int vendor_code, const char *format, va_list args) {
  set(status, vendor_code, -1);
  if (own_text) vsnprintf(own_text, SOLO_ERROR_TEXT, format, args);
  return status;
}

solo_status(solo_fail)(solo_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  record(status, 0, format, args);
  va_end(args);
  return status;
}

solo_status(solo_fail_vendor)(solo_status status, int vendor_code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  record(status, vendor_code, format, args);
  va_end(args);
  return status;
}

void solo_error_note(const char *format, ...) {
  /* no failure is recorded, or no memory was left for its text */
  if (!own_text || last.text != own_text) return;
  size_t used = strlen(own_text);
  va_list args;
  va_start(args, format);
  vsnprintf(own_text + used, SOLO_ERROR_TEXT - used, format, args);
  va_end(args);
}

solo_status solo_error_set_device(int device) {
  last.device = device;
  return last.status;
}

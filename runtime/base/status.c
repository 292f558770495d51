/* The per-thread error record. */
#include "runtime/base/status.h"

#include <stdio.h>
#include <string.h>

static _Thread_local solo_error last_error = {.device = -1};

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
  return &last_error;
}

void solo_error_clear(void) {
  last_error.status = SOLO_OK;
  last_error.device = -1;
  last_error.vendor_code = 0;
  last_error.text[0] = 0;
}

static solo_status record(solo_status status, int vendor_code, const char *format, va_list args) {
  last_error.status = status;
  last_error.device = -1;
  last_error.vendor_code = vendor_code;
  vsnprintf(last_error.text, sizeof last_error.text, format, args);
  return status;
}

solo_status(solo_fail)(solo_status status, const char *format, ...) { /* (): not the macro */
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
  size_t used = strlen(last_error.text);
  va_list args;
  va_start(args, format);
  vsnprintf(last_error.text + used, sizeof last_error.text - used, format, args);
  va_end(args);
}

void solo_error_restore(const solo_error *error) {
  last_error = *error;
}

void solo_error_set_device(int device) {
  last_error.device = device;
}

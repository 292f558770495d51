#include "backends/hsa/hsa.h"

#include <stdarg.h>
#include <stdio.h>

enum { WHAT_BYTES = 256 };

static solo_status meaning_of(hsa_status_t result) {
  switch ((int)result) {
  case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
    return SOLO_DEVICE_NOMEM;
  case HSA_STATUS_ERROR_INVALID_ARGUMENT:
  case HSA_STATUS_ERROR_INVALID_ALLOCATION:
  case HSA_STATUS_ERROR_INVALID_AGENT:
  case HSA_STATUS_ERROR_INVALID_REGION:
  case HSA_STATUS_ERROR_INVALID_SIGNAL:
  case HSA_STATUS_ERROR_INVALID_QUEUE:
  case HSA_STATUS_ERROR_INVALID_QUEUE_CREATION:
  case HSA_STATUS_ERROR_INVALID_PACKET_FORMAT:
  case HSA_STATUS_ERROR_INVALID_RUNTIME_STATE:
    return SOLO_INVALID;
  case HSA_STATUS_ERROR_INVALID_SYMBOL_NAME:
  case HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL:
    return SOLO_NOT_FOUND;
  case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
  case HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER:
  case HSA_STATUS_ERROR_INVALID_EXECUTABLE:
  case HSA_STATUS_ERROR_FROZEN_EXECUTABLE:
  case HSA_STATUS_ERROR_VARIABLE_UNDEFINED:
    return SOLO_BAD_IMAGE;
  case HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS:
  case HSA_STATUS_ERROR_INVALID_ISA:
  case HSA_STATUS_ERROR_INVALID_ISA_NAME:
    return SOLO_INCOMPATIBLE;
  case HSA_STATUS_ERROR_NOT_INITIALIZED:
    return SOLO_UNAVAILABLE;
  case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
  case HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION:
  case HSA_STATUS_ERROR_MEMORY_FAULT:
  case HSA_STATUS_ERROR_EXCEPTION:
    return SOLO_KERNEL_FAULT;
  case HSA_STATUS_ERROR_FATAL:
    return SOLO_DEVICE_LOST;
  default:
    return SOLO_INTERNAL;
  }
}

static const char *words_of(hsa_status_t result) {
  const char *text = NULL;
  return hsa_status_string(result, &text) == HSA_STATUS_SUCCESS && text ? text : "unknown code";
}

solo_status solo_hsa_fail(solo_bdevice *device, hsa_status_t result, const char *what, ...) {
  char text[WHAT_BYTES];
  va_list args;
  va_start(args, what);
  vsnprintf(text, sizeof text, what, args);
  va_end(args);
  solo_status status = meaning_of(result);
  if (device && status == SOLO_DEVICE_LOST) solo_hsa_mark_lost(device, result, "%s", text);
  solo_fail_vendor(status, (int)result, "hsa: %s: 0x%x: %s", text, (unsigned)result,
                   words_of(result));
  if (device) solo_error_set_device(device->number);
  return status;
}

solo_status solo_hsa_fail_start(hsa_status_t result, const char *what) {
  return solo_fail_vendor(
      SOLO_UNAVAILABLE, (int)result,
      "hsa: %s: 0x%x: %s; check that the amdgpu driver is loaded (/dev/kfd) and that this user may "
      "open it (groups render and video): solo-info --explain no-permission; compare with rocminfo",
      what, (unsigned)result, words_of(result));
}

void solo_hsa_mark_lost(solo_bdevice *device, hsa_status_t result, const char *format, ...) {
  int first = 0;
  /* relaxed: only selects the thread that writes the text; `lost` publishes the text */
  if (!solo_cas_relaxed(&device->lost_claimed, &first, 1)) return;
  va_list args;
  va_start(args, format);
  vsnprintf(device->lost_text, sizeof device->lost_text, format, args);
  va_end(args);
  /* Ordering:  this release store pairs with the acquire load in solo_hsa_is_lost().
   * Otherwise: a reader could see an incomplete text. */
  solo_store_release(&device->lost, (int)result);
}

solo_status solo_hsa_fail_lost(const solo_bdevice *device) {
  /* relaxed: solo_hsa_is_lost() has loaded `lost` with acquire order */
  hsa_status_t result = (hsa_status_t)solo_load_relaxed(&((solo_bdevice *)(uintptr_t)device)->lost);
  solo_status status = meaning_of(result);
  if (status != SOLO_KERNEL_FAULT) status = SOLO_DEVICE_LOST;
  solo_fail_vendor(status, (int)result, "hsa: %s: 0x%x: %s; the device is lost for this process",
                   device->lost_text, (unsigned)result, words_of(result));
  solo_error_set_device(device->number);
  return status;
}

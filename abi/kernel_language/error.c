#include "abi/kernel_language/kl.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct meaning {
  int error;
  const char *hip, *cuda, *text;
} meaning;

static const meaning meanings[] = {
    {KL_OK, "hipSuccess", "cudaSuccess", "no error"},
    {KL_INVALID_VALUE, "hipErrorInvalidValue", "cudaErrorInvalidValue", "invalid argument"},
    {KL_NO_MEMORY, "hipErrorOutOfMemory", "cudaErrorMemoryAllocation", "out of memory"},
    {KL_NOT_INITIALIZED, "hipErrorNotInitialized", "cudaErrorInitializationError",
     "initialization error"},
    {KL_INVALID_CONFIGURATION, "hipErrorInvalidConfiguration", "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {KL_INVALID_SYMBOL, "hipErrorInvalidSymbol", "cudaErrorInvalidSymbol", "invalid device symbol"},
    {KL_INVALID_POINTER, "hipErrorInvalidDevicePointer", "cudaErrorInvalidDevicePointer",
     "invalid device pointer"},
    {KL_INVALID_DIRECTION, "hipErrorInvalidMemcpyDirection", "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction"},
    {KL_INVALID_FUNCTION, "hipErrorInvalidDeviceFunction", "cudaErrorInvalidDeviceFunction",
     "invalid device function"},
    {KL_NO_DEVICE, "hipErrorNoDevice", "cudaErrorNoDevice", "no device is detected"},
    {KL_INVALID_DEVICE, "hipErrorInvalidDevice", "cudaErrorInvalidDevice",
     "invalid device ordinal"},
    {KL_INVALID_IMAGE, "hipErrorInvalidImage", "cudaErrorInvalidKernelImage",
     "device kernel image is invalid"},
    {KL_NO_IMAGE, "hipErrorNoBinaryForGpu", "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for the device"},
    {KL_INVALID_HANDLE, "hipErrorInvalidHandle", "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {KL_NOT_READY, "hipErrorNotReady", "cudaErrorNotReady", "device not ready"},
    {KL_LAUNCH_FAILURE, "hipErrorLaunchFailure", "cudaErrorLaunchFailure",
     "unspecified launch failure"},
    {KL_NOT_SUPPORTED, "hipErrorNotSupported", "cudaErrorNotSupported", "operation not supported"},
    {KL_UNKNOWN, "hipErrorUnknown", "cudaErrorUnknown", "unknown error"},
};

static _Thread_local int last;
static _Thread_local int last_with_text; /* error that `text` describes, or 0 */
static _Thread_local char text[640];

static const meaning *find(int error) {
  const size_t count = sizeof meanings / sizeof *meanings;
  for (size_t i = 0; i < count; i++)
    if (meanings[i].error == error) return &meanings[i];
  return &meanings[count - 1];
}

static int fail(int error, const char *format, va_list arguments) {
  int used = snprintf(text, sizeof text, "%s: ", find(error)->text);
  vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
  last = last_with_text = error;
  return error;
}

int solo_kl_fail(int error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)fail(error, format, arguments);
  va_end(arguments);
  return error;
}

static int error_of(const char *status) {
  static const struct {
    const char *status;
    int error;
  } errors[] = {{"INVALID", KL_INVALID_VALUE},     {"NOMEM", KL_NO_MEMORY},
                {"DEVICE_NOMEM", KL_NO_MEMORY},    {"NOT_FOUND", KL_INVALID_FUNCTION},
                {"UNSUPPORTED", KL_NOT_SUPPORTED}, {"UNAVAILABLE", KL_NO_DEVICE},
                {"DISABLED", KL_NO_DEVICE},        {"BAD_IMAGE", KL_INVALID_IMAGE},
                {"INCOMPATIBLE", KL_NO_IMAGE},     {"KERNEL_FAULT", KL_LAUNCH_FAILURE},
                {"DEVICE_LOST", KL_LAUNCH_FAILURE}};
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(errors[i].status, status) == 0) return errors[i].error;
  return KL_UNKNOWN;
}

int solo_kl_status(int status) {
  solo_failure failure;
  if (!status) return KL_OK;
  solo_last_error(&failure);
  return solo_kl_fail(error_of(failure.status_name), "%s", failure.text);
}

int solo_kl_last_error(void) {
  int error = last;
  last = KL_OK;
  return error;
}

int solo_kl_peek_error(void) {
  return last;
}

const char *solo_kl_error_name(const char *language, int error) {
  return *language == 'h' ? find(error)->hip : find(error)->cuda;
}

/* Returns the text of an error. If the error is the thread's last failure, the text includes its
 * reason. */
const char *solo_kl_error_text(int error) {
  return error && error == last_with_text ? text : find(error)->text;
}
